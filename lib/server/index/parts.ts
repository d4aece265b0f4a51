/**
 * Below what an allocator maps anew for each (128 KiB with glibc): parts of one size leave no holes in memory that
 * nothing else fits into, which for tables that are written again and again came to 30 MB.
 */
const PART_BYTES = 96 << 10;

/** Bytes packed into parts of one size; the last is what is left. Each part is memory of its own. */
export function* inParts(pieces: Iterable<Uint8Array>): Generator<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(PART_BYTES);
  let used = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const taken = piece.subarray(from, from + PART_BYTES - used);
      part.set(taken, used);
      used += taken.length;
      from += taken.length;
      if (used < PART_BYTES) continue;
      yield part.slice();
      used = 0;
    }
  }
  if (used > 0) yield part.slice(0, used);
}

/** Reads parts as the one run of bytes that they were. */
export class PartReader {
  readonly #parts: Iterator<Uint8Array>;
  #part: Uint8Array = new Uint8Array();
  #used = 0;

  constructor(parts: Iterable<Uint8Array>) {
    this.#parts = parts[Symbol.iterator]();
  }

  /** Fills all of `bytes` with what comes next; false when there is less. */
  readInto(bytes: Uint8Array): boolean {
    for (let filled = 0; filled < bytes.length; ) {
      if (!this.#hasMore()) return false;
      const taken = this.#part.subarray(this.#used, this.#used + bytes.length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      this.#used += taken.length;
    }
    return true;
  }

  isAtEnd(): boolean {
    return !this.#hasMore();
  }

  /** Lets go of what the parts come from. */
  close(): void {
    this.#parts.return?.();
  }

  #hasMore(): boolean {
    while (this.#used === this.#part.length) {
      const next = this.#parts.next();
      if (next.done) return false;
      this.#part = next.value;
      this.#used = 0;
    }
    return true;
  }
}
