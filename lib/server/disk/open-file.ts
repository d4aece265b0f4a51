import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { FileStats, KeptCopy } from "./kept-files";

/** A file that is open for reading, on disk or kept, in a thread that may block. */
export interface OpenFile {
  stat(): FileStats;
  /** Reads up to `length` bytes from `position` to `buffer` at `offset`. Returns their number, 0 at the file's end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): number;
  /** For a kept file: see `KeptCopy`. */
  prepare?(length: number, position: number): Promise<void>;
  close(): void;
}

/** The same through promises; a `FileHandle` is one. */
export interface OpenFileHandle {
  stat(): Promise<FileStats>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** A file on disk, by its descriptor. */
export class DiskFile implements OpenFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  stat(): Stats {
    return fstatSync(this.#descriptor);
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): number {
    return readSync(this.#descriptor, buffer, offset, length, position);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * The text of a small file on disk, or the beginning of a larger one. Null if it is no regular file: nothing waits for
 * a pipe. Throws the system's errors.
 */
export function readSmallText(path: string, maxBytes: number): string | null {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(/*turbopackIgnore: true*/ path, flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const bytes = Buffer.allocUnsafe(Math.min(stats.size, maxBytes));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** A kept file has nothing to close. */
export function openKept(file: KeptCopy): OpenFile {
  return {
    stat: () => file.stats,
    read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
    prepare: (length, position) => file.prepare(length, position),
    close: () => undefined,
  };
}

/** The same through promises: other work gets its turn while its bytes are unpacked. */
export function openKeptHandle(file: KeptCopy): OpenFileHandle {
  return {
    stat: async () => file.stats,
    read: async (buffer, offset, length, position) => {
      await file.prepare(length, position);
      return { bytesRead: file.read(buffer, offset, length, position) };
    },
    close: async () => undefined,
  };
}
