/**
 * A plain copy of an index for another thread. `words`: four per key, possibly with spare room. `seed`: what the
 * slots were hashed with.
 */
export type HashIndexData = { size: number; words: Uint32Array; slots: Int32Array; seed: number };

const WORDS = 4;
const EMPTY = -1;
const DASH = 0x2d;
/** The maximum load of the slots: a look-up then passes about two of them. */
const MAX_LOAD = 0.75;
/** Keys of running sessions are added for hours: see `Table`. */
const GROWTH = 1.125;

/**
 * Maps strings (uuids, message ids, tool-use ids) to dense numbers from 0, without keeping the strings:
 * 16 bytes a key and about two slots. A UUID is its own 128 bits; anything else is hashed to 128 bits. A key's slot
 * depends on all of its bits and on a random seed per thread: UUIDs of version 7 made within a minute
 * begin with the same eight digits, and the writer of a log chooses its ids.
 */
export class HashIndex {
  #words: Uint32Array;
  #slots: Int32Array;
  readonly #seed: number;
  size: number;

  constructor(data?: HashIndexData) {
    this.size = data?.size ?? 0;
    this.#seed = data?.seed ?? SEED;
    this.#words = data?.words ?? new Uint32Array(256 * WORDS);
    this.#slots = data?.slots ?? new Int32Array(512).fill(EMPTY);
  }

  /** The number of this key, assigned now if it is new. */
  intern(key: string): number {
    toWords(key);
    return this.#internScratch();
  }

  /** The number of the key whose 128 bits start at `from` of an array, assigned now if it is new. */
  internWords(words: Uint32Array, from: number): number {
    for (let word = 0; word < WORDS; word++) scratch[word] = words[from + word] as number;
    return this.#internScratch();
  }

  #internScratch(): number {
    const found = this.#findScratch();
    if (found !== -1) return found;
    if ((this.size + 1) * WORDS > this.#words.length) this.#growWords();
    if (this.size >= this.#slots.length * MAX_LOAD) this.#growSlots();
    const index = this.size++;
    this.#words.set(scratch, index * WORDS);
    insert(this.#slots, this.#words, index, this.#seed);
    return index;
  }

  /** The number of this key, or -1. */
  find(key: string): number {
    toWords(key);
    return this.#findScratch();
  }

  /** The number of the key with these 128 bits, as `wordsOf` gives them, or -1. */
  findWords(words: string): number {
    scratch.set(words.split(",").map(Number));
    return this.#findScratch();
  }

  #findScratch(): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(scratch, 0, this.#seed) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot] as number;
      if (index === EMPTY) return -1;
      const base = index * WORDS;
      const words = this.#words;
      if (
        words[base] === scratch[0] &&
        words[base + 1] === scratch[1] &&
        words[base + 2] === scratch[2] &&
        words[base + 3] === scratch[3]
      )
        return index;
    }
  }

  /** A copy without spare capacity for keys, to be sent to another thread. */
  trimmed(): HashIndexData {
    const words = this.#words.slice(0, this.size * WORDS);
    return { size: this.size, words, slots: this.#slots.slice(), seed: this.#seed };
  }

  /** The 128 bits of a key as text: equal for equal strings in any index. */
  wordsOf(key: number): string {
    return this.#words.subarray(key * WORDS, (key + 1) * WORDS).join(",");
  }

  /** Writes the 128 bits of a key into an array. */
  copyWords(key: number, into: Uint32Array, at: number): void {
    into.set(this.#words.subarray(key * WORDS, (key + 1) * WORDS), at);
  }

  /** The 128 bits of all keys, in the order of their numbers: a view, valid until the next key is added. */
  get words(): Uint32Array {
    return this.#words.subarray(0, this.size * WORDS);
  }

  /** What it takes of memory, spare capacity included. */
  get bytes(): number {
    return this.#words.byteLength + this.#slots.byteLength;
  }

  #growWords(): void {
    const words = new Uint32Array(Math.max(this.size + 256, Math.ceil(this.size * GROWTH)) * WORDS);
    words.set(this.#words);
    this.#words = words;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    for (let index = 0; index < this.size; index++) insert(this.#slots, this.#words, index, this.#seed);
  }
}

/** An index of keys whose 128 bits are given: `words` has four per key, possibly with spare room. */
export function hashIndexOf(words: Uint32Array, size: number): HashIndexData {
  let capacity = 512;
  while (size >= capacity * MAX_LOAD) capacity *= 2;
  const slots = new Int32Array(capacity).fill(EMPTY);
  for (let index = 0; index < size; index++) insert(slots, words, index, SEED);
  return { size, words, slots, seed: SEED };
}

/** Puts a new key into the first free slot from its own onward. */
function insert(slots: Int32Array, words: Uint32Array, index: number, seed: number): void {
  const mask = slots.length - 1;
  let slot = hashOf(words, index * WORDS, seed) & mask;
  while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
  slots[slot] = index;
}

function hashOf(words: Uint32Array, from: number, seed: number): number {
  let hash = seed;
  for (let word = from; word < from + WORDS; word++) {
    hash = Math.imul(hash ^ (words[word] as number), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return mix(hash);
}

/** The seed of this thread. Indexes that come from another thread keep theirs. */
const SEED = Math.floor(Math.random() * 2 ** 32);

const scratch = new Uint32Array(WORDS);

/** Writes the 128 bits of a text into an array: the same bits that any index keeps for it. */
export function writeKey(key: string, into: Uint32Array, at: number): void {
  toWords(key);
  into.set(scratch, at);
}

function toWords(key: string): void {
  if (key.length === 36 && uuidWords(key)) return;
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  let c = 0xc2b2ae35;
  let d = 0x27d4eb2f;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = (Math.imul(b ^ unit, 0x85ebca77) + (a >>> 15)) | 0;
    c = (Math.imul(c ^ unit, 0xc2b2ae3d) + (b >>> 13)) | 0;
    d = (Math.imul(d ^ unit, 0x27d4eb2d) + (c >>> 16)) | 0;
  }
  scratch[0] = mix(a ^ d);
  scratch[1] = mix(b ^ a);
  scratch[2] = mix(c ^ b);
  scratch[3] = mix(d ^ key.length);
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const NO_DIGIT = 0xff;

/** Code unit → its value as a lower-case hex digit. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** Reads 8-4-4-4-12 lower-case hex digits into `scratch`; false for any other text of that length. */
function uuidWords(key: string): boolean {
  if (
    key.charCodeAt(8) !== DASH ||
    key.charCodeAt(13) !== DASH ||
    key.charCodeAt(18) !== DASH ||
    key.charCodeAt(23) !== DASH
  )
    return false;
  return digitsInto(key, 0, 0) && digitsInto(key, 9, 1) && digitsInto(key, 19, 2) && digitsInto(key, 28, 3);
}

/** Reads the eight digits of a word, skipping the dash that may follow the fourth. */
function digitsInto(key: string, from: number, word: number): boolean {
  let value = 0;
  let at = from;
  for (let digit = 0; digit < 8; digit++, at++) {
    if (digit === 4 && key.charCodeAt(at) === DASH) at += 1;
    const unit = key.charCodeAt(at);
    const read = unit < 128 ? (DIGITS[unit] as number) : NO_DIGIT;
    if (read === NO_DIGIT) return false;
    value = (value << 4) | read;
  }
  scratch[word] = value >>> 0;
  return true;
}
