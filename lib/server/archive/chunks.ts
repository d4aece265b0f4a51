import { hash } from "node:crypto";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { pack, unpack, unpackAside } from "./packing";
import { BLOCK_BYTES, giveBack, takeMemory } from "./store/memory";
import type { ObjectStore } from "./store/object-store";

/** A piece of a kept file; `hash` is of the bytes as they were in the file. */
export type Chunk = { hash: string; at: number; bytes: number };

/** A chunk this long is finished: it ends with the line that reaches here. */
export const MIN_CHUNK_BYTES = 1024 * 1024;
/** A line that goes on beyond this is cut over several chunks. */
const MAX_CHUNK_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
/**
 * The number of a file's chunks that wait for the disk at once: one of the four threads for all file work is left to
 * readers.
 */
const MAX_PUTS = 3;

/** The SHA-256 of bytes, or of a text in UTF-8, in hex: the name of whatever the archive holds. */
export function sha256(bytes: Uint8Array | string): string {
  return hash("sha256", bytes);
}

/** The name of the chunk with this hash in an `ObjectStore`. */
export function chunkName(hash: string): string {
  return `chunks/${hash}`;
}

/** The bytes of a stored chunk. Throws `archive-damaged` for one that is missing or has another length. */
export function unpackChunk(stored: Uint8Array | null, chunk: Chunk): Uint8Array {
  return undamaged(chunk, unpack(found(stored, chunk), chunk.bytes));
}

/** The same, unpacked on another thread. */
export async function unpackChunkAside(stored: Uint8Array | null, chunk: Chunk): Promise<Uint8Array> {
  return undamaged(chunk, await unpackAside(found(stored, chunk), chunk.bytes));
}

function found(stored: Uint8Array | null, { hash }: Chunk): Uint8Array {
  if (stored === null) throw damaged(`The chunk ${hash} is missing`);
  return stored;
}

function undamaged({ hash }: Chunk, bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) throw damaged(`The chunk ${hash} is damaged`);
  return bytes;
}

/** The error `archive-damaged`: kept bytes cannot be read back. */
export function damaged(message: string): ViewerError {
  return new ViewerError("archive-damaged", message, {
    status: 500,
    hint: "Run backscroll archive verify to see what else is affected. What is still on disk is kept again.",
  });
}

/**
 * Adds bytes to a file's chunks. Finished chunks are left as they are; short ones at the end are joined with the new
 * bytes, so that a log that grows line by line always has few chunks, and none is written often.
 */
export class ChunkWriter {
  readonly #store: ObjectStore;
  /** The chunks that stay. */
  readonly #chunks: Chunk[];
  /** The bytes that are in no chunk yet are at its beginning. */
  #memory: Buffer;
  #filled = 0;
  readonly #puts: Promise<unknown>[] = [];

  private constructor(store: ObjectStore, chunks: Chunk[], length: number) {
    this.#store = store;
    this.#chunks = chunks;
    this.#memory = takeMemory(length);
  }

  /**
   * @param coming how many bytes will be added
   * @param read the file's current bytes at a chunk's offsets: usually the chunk itself, which then need not be
   * unpacked
   */
  static async after(
    store: ObjectStore,
    chunks: readonly Chunk[],
    coming: number,
    read: (chunk: Chunk, into: Buffer) => Uint8Array,
  ): Promise<ChunkWriter> {
    const stay = chunks.length - countJoined(chunks, coming);
    const joined = chunks.slice(stay);
    const length = joined.reduce((sum, { bytes }) => sum + bytes, 0);
    const room = Math.max(length, Math.min(length + coming, BLOCK_BYTES));
    const writer = new ChunkWriter(store, chunks.slice(0, stay), room);
    for (const chunk of joined) await writer.#join(chunk, read);
    return writer;
  }

  async #join(chunk: Chunk, read: (chunk: Chunk, into: Buffer) => Uint8Array): Promise<void> {
    const into = this.#memory.subarray(this.#filled, this.#filled + chunk.bytes);
    const found = read(chunk, into);
    if (sha256(found) !== chunk.hash)
      into.set(unpackChunk(await this.#store.get(chunkName(chunk.hash)), chunk));
    this.#filled += chunk.bytes;
  }

  /** Where the next bytes go, before `add` takes them; never empty. */
  room(): Buffer {
    if (this.#filled === this.#memory.length) {
      const more = takeMemory(Math.min(MAX_CHUNK_BYTES, 2 * this.#filled));
      more.set(this.#memory);
      giveBack(this.#memory);
      this.#memory = more;
    }
    return this.#memory.subarray(this.#filled);
  }

  /** Takes this many bytes that were written to `room`. Rejects with the errors of the store. */
  async add(count: number): Promise<void> {
    this.#filled += count;
    for (let end = this.#chunkEnd(); end !== null; end = this.#chunkEnd()) {
      const memory = this.#memory;
      const rest = memory.subarray(end, this.#filled);
      this.#memory = takeMemory(Math.max(BLOCK_BYTES, rest.length));
      this.#memory.set(rest);
      this.#filled = rest.length;
      this.#put(memory, end);
      if (this.#puts.length > MAX_PUTS) await this.#puts.shift();
    }
  }

  #chunkEnd(): number | null {
    return chunkEnd(this.#memory.subarray(0, this.#filled));
  }

  /** Writes the rest, and returns all chunks of the file when they are stored. Rejects as `add`. */
  async end(): Promise<Chunk[]> {
    if (this.#filled > 0) this.#put(this.#memory, this.#filled);
    else giveBack(this.#memory);
    await Promise.all(this.#puts);
    return this.#chunks;
  }

  #put(memory: Buffer, length: number): void {
    const bytes = memory.subarray(0, length);
    const last = this.#chunks.at(-1);
    const chunk = { hash: sha256(bytes), at: last ? last.at + last.bytes : 0, bytes: length };
    this.#chunks.push(chunk);
    const name = chunkName(chunk.hash);
    const packed = pack(bytes);
    giveBack(memory);
    const put = this.#store.putIfAbsent(name, packed, false);
    // The next `add` or `end` reports it.
    put.catch(() => undefined);
    this.#puts.push(put);
  }
}

/** The number of chunks at the end that are rewritten together with the added bytes. */
function countJoined(chunks: readonly Chunk[], coming: number): number {
  let small = 0;
  let bytes = coming;
  for (let chunk = chunks.at(-1); chunk && chunk.bytes < MIN_CHUNK_BYTES; chunk = chunks.at(-1 - small)) {
    small += 1;
    bytes += chunk.bytes;
  }
  // Together they make a whole chunk.
  if (bytes >= MIN_CHUNK_BYTES) return small;
  // Only chunks that are not much longer than what they are joined with: so each byte is written a dozen times at most.
  let joined = 0;
  let length = coming;
  for (let chunk = chunks.at(-1); chunk && joined < small && chunk.bytes <= 2 * length; ) {
    joined += 1;
    length += chunk.bytes;
    chunk = chunks.at(-1 - joined);
  }
  return joined;
}

/** The end of the first chunk in these bytes; null while they may all belong to one that is not finished. */
function chunkEnd(bytes: Uint8Array): number | null {
  if (bytes.length < MIN_CHUNK_BYTES) return null;
  const newline = bytes.indexOf(NEWLINE, MIN_CHUNK_BYTES - 1);
  if (newline !== -1 && newline < MAX_CHUNK_BYTES) return newline + 1;
  return bytes.length >= MAX_CHUNK_BYTES ? MAX_CHUNK_BYTES : null;
}
