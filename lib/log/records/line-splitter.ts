/** One complete line of a log, without its newline. `offset` and `length` are in bytes; `line` counts from 1. */
export type RawLine = { bytes: Uint8Array; offset: number; length: number; line: number };

const NEWLINE = 0x0a;

/**
 * Splits a log into lines at byte 0x0A and nothing else: U+2028 appears unescaped inside lines of every
 * version, and a lone CR is data. Chunks may be split anywhere; the lines are the same.
 */
export class LineSplitter {
  #pieces: Uint8Array[] = [];
  #held = 0;
  #offset: number;
  #line: number;

  /** @param offset byte offset of the first chunk  @param line number of its first line */
  constructor(offset = 0, line = 1) {
    this.#offset = offset;
    this.#line = line;
  }

  /** Calls `take` for each line that ends inside this chunk. Its bytes may be a view of the chunk: copy to keep them. */
  push(chunk: Uint8Array, take: (line: RawLine) => void): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const tail = chunk.subarray(start, end);
      const bytes = this.#held === 0 ? tail : this.#join(tail);
      take({ bytes, offset: this.#offset, length: bytes.length, line: this.#line });
      this.#offset += bytes.length + 1;
      this.#line += 1;
      start = end + 1;
    }
    if (start < chunk.length) {
      // Copied, because the caller may read into the same buffer again. Not `slice`: on a Buffer that is a view of
      // the same bytes.
      const rest = new Uint8Array(chunk.subarray(start));
      this.#pieces.push(rest);
      this.#held += rest.length;
    }
  }

  /** What follows the last newline: a line that is still being written, or `null`. */
  rest(): RawLine | null {
    if (this.#held === 0) return null;
    const bytes =
      this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : concat(this.#pieces, this.#held);
    return { bytes, offset: this.#offset, length: bytes.length, line: this.#line };
  }

  /** Byte offset just past the last newline seen: where reading resumes after the file has grown. */
  get consumed(): number {
    return this.#offset;
  }

  /** Number of the line that starts at `consumed`. */
  get nextLine(): number {
    return this.#line;
  }

  #join(tail: Uint8Array): Uint8Array {
    this.#pieces.push(tail);
    const bytes = concat(this.#pieces, this.#held + tail.length);
    this.#pieces = [];
    this.#held = 0;
    return bytes;
  }
}

function concat(pieces: readonly Uint8Array[], total: number): Uint8Array {
  const joined = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
