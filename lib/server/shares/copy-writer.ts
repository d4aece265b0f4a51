import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

const FILE_MODE = 0o600;
/** Lines are held back until they are this many bytes, and written together. */
const CHUNK_BYTES = 1 << 20;
const NEWLINE = new TextEncoder().encode("\n");

/** Writes lines at the end of a copy. Close it; after a failure `undo` first. */
export class CopyWriter {
  readonly #descriptor: number;
  /** The copy's length before anything was added. */
  readonly #had: number;
  #at: number;
  readonly #held: Uint8Array[] = [];
  #heldBytes = 0;

  /**
   * @param path created, unless it is to be continued; its folder must exist
   * @param dropped bytes at the end of a continued copy that are written again; null: begins it anew
   */
  constructor(path: string, dropped: number | null) {
    // Not opened to append: Windows does not truncate such a file.
    this.#descriptor = openSync(path, dropped === null ? "w" : "r+", FILE_MODE);
    this.#had = fstatSync(this.#descriptor).size - (dropped ?? 0);
    if (dropped !== null && dropped > 0) ftruncateSync(this.#descriptor, this.#had);
    this.#at = this.#had;
  }

  /** Adds a line, given without its newline. It may not be on disk before `end`. */
  line(bytes: Uint8Array): void {
    this.#held.push(bytes, NEWLINE);
    this.#heldBytes += bytes.length + NEWLINE.length;
    if (this.#heldBytes > CHUNK_BYTES) this.#flush();
  }

  /** Writes what is held back, and behind it a last line that no newline ends. */
  end(open: Uint8Array | null): void {
    this.#flush();
    if (open) this.#write(open);
  }

  /** Takes back all that was added. */
  undo(): void {
    ftruncateSync(this.#descriptor, this.#had);
  }

  /** Writes nothing that is held back: see `end`. */
  close(): void {
    closeSync(this.#descriptor);
  }

  #flush(): void {
    // Only what is short is joined, so that a long line takes its memory once.
    if (this.#heldBytes > 2 * CHUNK_BYTES) for (const part of this.#held) this.#write(part);
    else this.#write(Buffer.concat(this.#held));
    this.#held.length = this.#heldBytes = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) {
      const written = writeSync(this.#descriptor, rest, 0, rest.length, this.#at);
      rest = rest.subarray(written);
      this.#at += written;
    }
  }
}
