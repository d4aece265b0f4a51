/** Bits per unit of text, at least. With one, a quarter of the bits of ordinary text is set at most. */
const BITS_PER_UNIT = 1;
const MIN_BITS = 1024;
const ASCII = 128;

/**
 * The three-letter sequences of some text as a bit set, ignoring case, and the two-letter ones with a letter beyond
 * ASCII (a Chinese word has two). A text can only contain a word if all of the word's sequences are in its set. Takes 4
 * ns a unit, where FTS5's trigram index takes 100.
 */
export function makeSignature(texts: readonly string[]): Uint8Array {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  let bits = MIN_BITS;
  while (bits < units * BITS_PER_UNIT) bits *= 2;
  const set = new Uint8Array(bits >>> 3);
  const mask = bits - 1;
  const fold = foldTable();
  for (const text of texts) {
    let first = 0;
    let second = 0;
    for (let at = 0; at < text.length; at++) {
      const third = fold[text.charCodeAt(at)] as number;
      if (at >= 2) {
        const bit = hashThree(first, second, third) & mask;
        set[bit >>> 3] = (set[bit >>> 3] as number) | (1 << (bit & 7));
      }
      if (at >= 1 && (second >= ASCII || third >= ASCII)) {
        const bit = hashTwo(second, third) & mask;
        set[bit >>> 3] = (set[bit >>> 3] as number) | (1 << (bit & 7));
      }
      first = second;
      second = third;
    }
  }
  return set;
}

/** The sequences of a word, to be compared with any signature. None for a word too short to have one. */
export function sequencesOf(word: string): number[] {
  const hashes = new Set<number>();
  const fold = foldTable();
  const unit = (at: number) => fold[word.charCodeAt(at)] as number;
  for (let at = 2; at < word.length; at++) hashes.add(hashThree(unit(at - 2), unit(at - 1), unit(at)));
  for (let at = 1; at < word.length; at++) {
    if (unit(at - 1) >= ASCII || unit(at) >= ASCII) hashes.add(hashTwo(unit(at - 1), unit(at)));
  }
  return [...hashes];
}

/** False if a text with this signature cannot contain a word with these sequences. */
export function mayHold(signature: Uint8Array, sequences: readonly number[]): boolean {
  const mask = signature.length * 8 - 1;
  for (const hash of sequences) {
    const bit = hash & mask;
    if (((signature[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function hashThree(first: number, second: number, third: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77) ^ Math.imul(third, 0xc2b2ae3d));
}

function hashTwo(first: number, second: number): number {
  return mix(Math.imul(first, 0x27d4eb2f) ^ Math.imul(second, 0x165667b1) ^ 0x5bd1e995);
}

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/**
 * Folds the case of UTF-16 units: two units are the same letter to a regular expression with the flag `i` exactly if
 * they fold to the same one. That is upper case, except for letters that become several, and for foreign letters that
 * would become ASCII ones.
 */
let folds: Uint16Array | null = null;

/** Made when it is needed: the server's own thread loads this at its start, and has nothing to fold until a search. */
function foldTable(): Uint16Array {
  folds ??= makeFold();
  return folds;
}

function makeFold(): Uint16Array {
  const fold = new Uint16Array(65536);
  for (let unit = 0; unit < fold.length; unit++) {
    fold[unit] = unit;
    // Chinese, Korean, surrogates and private letters have no case, and are most of all.
    if (unit >= 0x2e80 && unit < 0xa640) continue;
    if (unit >= 0xac00 && unit < 0xfb00) continue;
    const upper = String.fromCharCode(unit).toUpperCase();
    const code = upper.charCodeAt(0);
    fold[unit] = upper.length !== 1 || (unit >= 128 && code < 128) ? unit : code;
  }
  return fold;
}

/** The units that fold to the same letter, the given one included. */
export function variantsOf(unit: number): number[] {
  if (unit < 128) {
    const text = String.fromCharCode(unit);
    return [...new Set([text.toLowerCase().charCodeAt(0), text.toUpperCase().charCodeAt(0)])];
  }
  const fold = foldTable();
  const folded = fold[unit];
  const variants: number[] = [];
  for (let other = 128; other < fold.length; other++) if (fold[other] === folded) variants.push(other);
  return variants;
}
