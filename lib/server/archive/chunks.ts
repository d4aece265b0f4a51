import { createHash } from "node:crypto";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { pack, unpack, unpackAside } from "./packing";
import type { ObjectStore } from "./store/object-store";

/** A piece of a kept file; `hash` is of the bytes as they were in the file. */
export type Chunk = { hash: string; at: number; bytes: number };

/** A chunk this long is finished: it ends with the line that reaches here. */
export const MIN_CHUNK_BYTES = 1024 * 1024;
/** A line that goes on beyond this is cut over several chunks. */
const MAX_CHUNK_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Packed and stored at once: one of the four threads of all file work is left to readers. */
const MAX_PUTS = 3;

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function chunkName(hash: string): string {
  return `chunks/${hash}`;
}

/** The bytes of a stored chunk. Throws `archive-damaged` for what is missing or has another length. */
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

/** `archive-damaged`: what was kept cannot be read back. */
export function damaged(message: string): ViewerError {
  return new ViewerError("archive-damaged", message, {
    status: 500,
    hint: "Run backscroll archive verify to see what else is affected. What is still on disk is kept again.",
  });
}

/**
 * Adds bytes to a file's chunks. Finished chunks are left as they are; short ones at the end are joined with what
 * comes, so that a log that grows by single lines is at any time in a few chunks, and none is written often.
 */
export class ChunkWriter {
  readonly #store: ObjectStore;
  /** Those that stay. */
  readonly chunks: Chunk[];
  #pending: Uint8Array;
  readonly #puts: Promise<void>[] = [];

  private constructor(store: ObjectStore, chunks: Chunk[], pending: Uint8Array) {
    this.#store = store;
    this.chunks = chunks;
    this.#pending = pending;
  }

  /** @param coming how many bytes will be added */
  static async after(store: ObjectStore, chunks: readonly Chunk[], coming: number): Promise<ChunkWriter> {
    const joined = chunks.length - countJoined(chunks, coming);
    const parts: Uint8Array[] = [];
    for (const chunk of chunks.slice(joined))
      parts.push(unpackChunk(await store.get(chunkName(chunk.hash)), chunk));
    return new ChunkWriter(store, chunks.slice(0, joined), Buffer.concat(parts));
  }

  /** Takes the next bytes, which nobody may change any more. Rejects with what the store could not put. */
  async add(bytes: Uint8Array): Promise<void> {
    this.#pending = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    for (let end = chunkEnd(this.#pending); end !== null; end = chunkEnd(this.#pending)) {
      this.#put(this.#pending.subarray(0, end));
      this.#pending = this.#pending.subarray(end);
      if (this.#puts.length > MAX_PUTS) await this.#puts.shift();
    }
  }

  /** Writes what is left, and returns all chunks of the file when they are stored. Rejects as `add`. */
  async end(): Promise<Chunk[]> {
    if (this.#pending.length > 0) this.#put(this.#pending);
    this.#pending = new Uint8Array(0);
    await Promise.all(this.#puts);
    return this.chunks;
  }

  #put(bytes: Uint8Array): void {
    const last = this.chunks.at(-1);
    const chunk = { hash: sha256(bytes), at: last ? last.at + last.bytes : 0, bytes: bytes.length };
    this.chunks.push(chunk);
    const put = slots.during(async () => {
      await this.#store.putIfAbsent(chunkName(chunk.hash), await pack(bytes), true);
    });
    // Whoever adds or ends hears of it.
    put.catch(() => undefined);
    this.#puts.push(put);
  }
}

/** So many tasks at once; the others wait for their turn. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async during<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

const slots = new Slots(MAX_PUTS);

/** How many of the last chunks are written anew together with what is added. */
function countJoined(chunks: readonly Chunk[], coming: number): number {
  let small = 0;
  let bytes = coming;
  for (let chunk = chunks.at(-1); chunk && chunk.bytes < MIN_CHUNK_BYTES; chunk = chunks.at(-1 - small)) {
    small += 1;
    bytes += chunk.bytes;
  }
  // They make a whole one.
  if (bytes >= MIN_CHUNK_BYTES) return small;
  // Only those not much longer than what they are joined with: so each byte is written a dozen times at most.
  let joined = 0;
  let length = coming;
  for (let chunk = chunks.at(-1); chunk && joined < small && chunk.bytes <= 2 * length; ) {
    joined += 1;
    length += chunk.bytes;
    chunk = chunks.at(-1 - joined);
  }
  return joined;
}

/** Where the first chunk of these bytes ends; null while they may still belong to one that is not finished. */
function chunkEnd(bytes: Uint8Array): number | null {
  if (bytes.length < MIN_CHUNK_BYTES) return null;
  const newline = bytes.indexOf(NEWLINE, MIN_CHUNK_BYTES - 1);
  if (newline !== -1 && newline < MAX_CHUNK_BYTES) return newline + 1;
  return bytes.length >= MAX_CHUNK_BYTES ? MAX_CHUNK_BYTES : null;
}
