import { firstPlace } from "@/lib/format/lists";
import { freeMemory } from "@/lib/server/runtime/free-memory";
import { type Chunk, chunkName, unpackChunk, unpackChunkAside } from "./chunks";
import { decodeManifest, fileHeadName, type KeptFile, manifestName } from "./manifest";
import type { SyncObjectStore } from "./store/object-store";

const MAX_CACHE_BYTES = 16 * 1024 * 1024;
/** Manifests are small: a library's worth of them is asked for again with every listing. */
const MAX_MANIFESTS = 5_000;
/** Most stored chunks are shorter. */
const STORED_BYTES = 512 * 1024;

/** Reads kept files in a thread that may block. The chunks read last stay unpacked in memory, up to `cacheBytes`. */
export class KeptFileReader {
  readonly #store: SyncObjectStore;
  readonly #cacheBytes: number;
  /** By hash, the least recently used first. */
  readonly #chunks = new Map<string, Uint8Array>();
  #cached = 0;
  readonly #manifests = new Map<string, KeptFile>();
  #stored: Uint8Array | null = null;

  constructor(store: SyncObjectStore, cacheBytes = MAX_CACHE_BYTES) {
    this.#store = store;
    this.#cacheBytes = cacheBytes;
  }

  /** What is kept of the file at a real path, as it was last; null if nothing is. Throws `archive-damaged`. */
  find(path: string): KeptFile | null {
    const hash = this.#store.readHeadSync(fileHeadName(path));
    return hash === null ? null : this.manifest(hash);
  }

  /** The manifest of a hash, for example of an earlier generation. Throws `archive-damaged`. */
  manifest(hash: string): KeptFile {
    const known = this.#manifests.get(hash);
    if (known) return known;
    const read = decodeManifest(hash, this.#store.getSync(manifestName(hash)));
    if (this.#manifests.size >= MAX_MANIFESTS) this.#manifests.clear();
    this.#manifests.set(hash, read);
    return read;
  }

  /**
   * Bytes `from`–`to` of a kept file, into the beginning of `into`. Returns how many there were: fewer where the
   * file ends or `into` does. Throws `archive-damaged`.
   */
  read(file: KeptFile, from: number, to: number, into: Uint8Array): number {
    const end = Math.min(to, file.bytes, from + into.length);
    let at = from;
    for (let n = chunkAt(file.chunks, from); at < end; n++) {
      const chunk = file.chunks[n];
      if (!chunk) break;
      const part = this.#chunk(chunk).subarray(at - chunk.at, end - chunk.at);
      into.set(part, at - from);
      at += part.length;
    }
    return Math.max(0, at - from);
  }

  /** Unpacks what `read` needs for these bytes on other threads, as far as it fits into the cache. Throws as `read`. */
  async prepare(file: KeptFile, from: number, to: number): Promise<void> {
    const wanted: Chunk[] = [];
    let bytes = 0;
    for (let n = chunkAt(file.chunks, from); ; n++) {
      const chunk = file.chunks[n];
      if (!chunk || chunk.at >= to || (bytes += chunk.bytes) > this.#cacheBytes) break;
      if (!this.#chunks.has(chunk.hash)) wanted.push(chunk);
    }
    await Promise.all(
      wanted.map(async (chunk) => {
        const stored = await this.#store.get(chunkName(chunk.hash));
        this.#put(chunk, await unpackChunkAside(stored, chunk));
      }),
    );
  }

  #chunk(chunk: Chunk): Uint8Array {
    const known = this.#chunks.get(chunk.hash);
    if (!known) {
      this.#stored ??= Buffer.allocUnsafeSlow(STORED_BYTES);
      return this.#put(chunk, unpackChunk(this.#store.getSync(chunkName(chunk.hash), this.#stored), chunk));
    }
    this.#chunks.delete(chunk.hash);
    this.#chunks.set(chunk.hash, known);
    return known;
  }

  #put(chunk: Chunk, bytes: Uint8Array): Uint8Array {
    // Another request may have unpacked it meanwhile.
    const known = this.#chunks.get(chunk.hash);
    if (known) return known;
    this.#chunks.set(chunk.hash, bytes);
    this.#cached += bytes.length;
    for (const [hash, oldest] of this.#chunks) {
      if (this.#cached <= this.#cacheBytes || this.#chunks.size === 1) break;
      this.#chunks.delete(hash);
      this.#cached -= oldest.length;
      freeMemory(oldest);
    }
    return bytes;
  }
}

/** The chunk that holds the byte at an offset. */
function chunkAt(chunks: readonly Chunk[], offset: number): number {
  return firstPlace(0, chunks.length, (index) => {
    const { at, bytes } = chunks[index] as Chunk;
    return at + bytes > offset;
  });
}
