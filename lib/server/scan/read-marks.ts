/** Bytes at a file's beginning, and before where it was read to, that tell it from another. */
export const MARK_BYTES = 1024;

/** The first KiB of what was read of a file, and the last one. */
export type Marks = { head: Uint8Array; tail: Uint8Array };

const NOTHING = new Uint8Array(0);

/**
 * The marks of a file from the bytes that were read of it. Not from the file as it lies there afterwards: one
 * that was replaced while it was read would be taken for what was indexed of it.
 */
export class ReadMarks {
  #head: Uint8Array;
  #tail: Uint8Array;
  /** What was read before the next chunk, as much as a mark needs. */
  #recent: Uint8Array;
  #at: number;

  /** @param at where reading begins  @param before the marks of what stands before it */
  constructor(at = 0, before: Marks = { head: NOTHING, tail: NOTHING }) {
    this.#at = at;
    this.#head = before.head;
    this.#tail = before.tail;
    this.#recent = before.tail;
  }

  /** Takes the next bytes of the file. `consumed`: where its last whole line ends now. */
  take(chunk: Uint8Array, consumed: number): void {
    if (this.#head.length < MARK_BYTES)
      this.#head = joined(this.#head, chunk.subarray(0, MARK_BYTES - this.#head.length));
    if (consumed > this.#at) this.#tail = lastOf(this.#recent, chunk.subarray(0, consumed - this.#at));
    this.#recent = lastOf(this.#recent, chunk);
    this.#at += chunk.length;
  }

  /** The marks of the file's first `consumed` bytes: the last ones told, or all that were taken. */
  upTo(consumed: number): Marks {
    const tail = consumed === this.#at ? this.#recent : this.#tail;
    return { head: this.#head.subarray(0, consumed), tail };
  }
}

function lastOf(before: Uint8Array, after: Uint8Array): Uint8Array {
  const spare = MARK_BYTES - after.length;
  return spare > 0
    ? joined(before.subarray(Math.max(0, before.length - spare)), after)
    : new Uint8Array(after.subarray(-MARK_BYTES));
}

/** A copy: chunks are read into the same memory again. */
function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
