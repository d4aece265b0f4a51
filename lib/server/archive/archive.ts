import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { openOnDiskSync } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { type Chunk, chunkName, damaged, sha256, unpackChunk } from "./chunks";
import { isMovedFile, isUnchanged, keepFile, type SourceFile } from "./keep-file";
import { decodeManifest, encodeManifest, fileHeadName, type KeptFile, manifestName } from "./manifest";
import { pack } from "./packing";
import type { ObjectStore } from "./store/object-store";

/** Chunks that were put are named by a head long before this time has passed. */
const GRACE_MS = 3_600_000;
/** Less than any collection waits: objects that were put this long before their head may have been taken for unused. */
const MAX_UNNAMED_MS = 60_000;

const FILES = "files/";
const CHANGES = "changes/last";

/** What a check of everything that is kept has looked at and found. */
export type Verified = {
  files: number;
  generations: number;
  chunks: number;
  bytes: number;
  /** Chunks that were damaged or missing, and were stored again from their files on disk. */
  mended: number;
  /** Chunks and files that are still damaged. */
  problems: string[];
};

/** Is told the hash of a manifest that cannot be read, and what is wrong with it, as a text. */
export type OnDamaged = (hash: string, problem: string) => void;

/** Every file that was ever kept, in a store. Any number of archives may work on one store at once. */
export class Archive {
  readonly store: ObjectStore;
  /** Epoch milliseconds. */
  readonly #now: () => number;

  constructor(store: ObjectStore, now: () => number = Date.now) {
    this.store = store;
    this.#now = now;
  }

  /** What is kept of the file at a real path; null if nothing is. Rejects with `archive-damaged`. */
  async find(path: string): Promise<KeptFile | null> {
    return this.#newest(fileHeadName(path));
  }

  /** Every kept file as it was last, in no order. Those whose manifest is damaged are left out, and told. */
  async files(onDamaged: OnDamaged = () => undefined): Promise<KeptFile[]> {
    const files: KeptFile[] = [];
    for (const [name, hash] of await this.store.readHeads(FILES)) {
      const file = await this.#manifest(hash).catch((error: unknown) => {
        unlessDamaged(error);
        onDamaged(hash, `${name}: ${(error as Error).message}`);
      });
      if (file) files.push(file);
    }
    return files;
  }

  /** A kept file's generations, the newest first. Rejects with `archive-damaged`. */
  async generations(newest: KeptFile): Promise<KeptFile[]> {
    const all = [newest];
    for (let file = newest; file.earlier !== null; all.push(file)) file = await this.#manifest(file.earlier);
    return all;
  }

  /** The same, up to the first that is damaged, which is told. */
  async readableGenerations(newest: KeptFile, onDamaged: OnDamaged = () => undefined): Promise<KeptFile[]> {
    const all = [newest];
    for (let earlier = newest.earlier; earlier !== null; ) {
      const hash: string = earlier;
      const file = await this.#manifest(hash).catch((error: unknown) => {
        unlessDamaged(error);
        onDamaged(hash, `${(error as Error).message}, an earlier state of ${newest.path}`);
      });
      if (file) all.push(file);
      earlier = file?.earlier ?? null;
    }
    return all;
  }

  /** The target of the head of the file at a real path; `file` is null if nothing is kept, or that is damaged. */
  async headOf(path: string): Promise<{ hash: string | null; file: KeptFile | null }> {
    const hash = await this.store.readHead(fileHeadName(path));
    return { hash, file: hash === null ? null : await this.#manifest(hash).catch(unlessDamaged) };
  }

  /** Whether the manifest with this hash is there, and whole. */
  async hasManifest(hash: string): Promise<boolean> {
    return (await this.#manifest(hash).catch(unlessDamaged)) !== null;
  }

  /** A chunk as it is stored; null where it is missing or damaged. */
  async storedChunk(chunk: Chunk): Promise<Uint8Array | null> {
    const stored = await this.store.get(chunkName(chunk.hash));
    try {
      return sha256(unpackChunk(stored, chunk)) === chunk.hash ? stored : null;
    } catch (error) {
      return unlessDamaged(error);
    }
  }

  /** Replaces a damaged object. */
  async replace(name: string, bytes: Uint8Array): Promise<void> {
    await this.store.remove([name], Number.POSITIVE_INFINITY);
    await this.store.putIfAbsent(name, bytes, true);
  }

  /**
   * Keeps the new part of a file. Resolves to the file's state in the archive, the same object as `known` if nothing
   * has changed. Rejects with the ViewerErrors of `openConfined`, `archive-damaged`, and the store's.
   * @param known its state when it was last checked, null if nothing was kept; looked up if it is not given
   * @param moved what may be the same file at its former path
   * @param others waits for files that are kept together, before a head is swapped
   */
  async keep(
    source: SourceFile,
    known?: KeptFile | null,
    moved: KeptFile | null = null,
    others: () => Promise<void> | undefined = () => undefined,
  ): Promise<KeptFile> {
    if (known && isUnchanged(known, lstatSync(source.path))) return known;
    const name = fileHeadName(source.path);
    let before = known ?? null;
    let expected = known === undefined ? await this.store.readHead(name) : (known?.hash ?? null);
    for (;;) {
      if (expected !== (before?.hash ?? null)) before = await this.#newest(name).catch(unlessDamaged);
      const from = before ?? (expected === null && moved && isMovedFile(moved, source) ? moved : null);
      const unnamed = this.unnamed();
      const kept = await this.#keepOn(source, from);
      if (kept === null && before) return before;
      if (kept === null) throw new Error("A file that was not kept has not changed since");
      const { manifest, isCut } = kept;
      const { hash, bytes } = encodeManifest(manifest);
      await this.store.putIfAbsent(manifestName(hash), bytes, false);
      await others();
      if (await this.store.swapHead(name, expected, hash, manifestName(hash))) {
        // Its new head exists by now: at no moment does it have neither.
        if (from && from !== before) await this.forget(from);
        before = { ...manifest, hash };
        if (unnamed.mayBeGone()) await this.#putAgain(before, from);
        expected = hash;
        if (!isCut) return before;
      } else expected = await this.store.readHead(name);
    }
  }

  /**
   * Begins to watch the time between the first put of objects and the head that names them. `mayBeGone`, asked when the
   * head is there: so much has passed that a collection may have removed them before, because the clock was set, the
   * machine slept, or the disk is slow. What is put again then stays.
   */
  unnamed(): { mayBeGone: () => boolean } {
    const fromMs = this.#now();
    return { mayBeGone: () => Math.abs(this.#now() - fromMs) > MAX_UNNAMED_MS };
  }

  /** Puts a kept file's new objects again, those that are gone from its bytes on disk. */
  async #putAgain(file: KeptFile, from: KeptFile | null): Promise<void> {
    const { hash: _, ...manifest } = file;
    await this.store.putIfAbsent(manifestName(file.hash), encodeManifest(manifest).bytes, true);
    const old = new Set(from?.chunks.map(({ hash }) => hash));
    for (const chunk of file.chunks) {
      if (old.has(chunk.hash)) continue;
      const stored = await this.store.get(chunkName(chunk.hash));
      if (stored) await this.store.putIfAbsent(chunkName(chunk.hash), stored, true);
      else await this.#mend(file, chunk);
    }
  }

  /** If the kept state cannot be read back, the file is kept again from disk. */
  async #keepOn(source: SourceFile, from: KeptFile | null): ReturnType<typeof keepFile> {
    try {
      return await keepFile(this.store, source, from);
    } catch (error) {
      unlessDamaged(error);
      return keepFile(this.store, source, null);
    }
  }

  /**
   * Forgets a file with all its generations. Its bytes are removed by the next `collect`. False if it has just changed.
   */
  async forget({ path, hash }: KeptFile): Promise<boolean> {
    return this.store.swapHead(fileHeadName(path), hash, null);
  }

  /**
   * Changes when files were removed or brought in on request: then whatever is cached of the archive must be read
   * again. Keeping files is no such change.
   */
  async lastChange(): Promise<string | null> {
    return this.store.readHead(CHANGES);
  }

  /** Has every reader of the archive read it again: see `lastChange`. Rejects with the system's errors. */
  async announceChange(): Promise<void> {
    // If another process does the same at this moment, that is enough.
    await this.store.swapHead(CHANGES, await this.lastChange(), randomUUID());
  }

  /**
   * Reads every manifest and chunk, and compares their hashes, lengths and offsets. A damaged chunk is stored again if
   * its file still has the same bytes.
   */
  async verify(onProgress: (done: number, all: number) => void = () => undefined): Promise<Verified> {
    const heads = await this.store.readHeads(FILES);
    const result: Verified = {
      files: heads.size,
      generations: 0,
      chunks: 0,
      bytes: 0,
      mended: 0,
      problems: [],
    };
    const seen = new Set<string>();
    let done = 0;
    for (const [name, hash] of heads) {
      try {
        await this.#verifyFile(hash, result, seen);
      } catch (error) {
        unlessDamaged(error);
        result.problems.push(`${name}: ${(error as Error).message}`);
      }
      done += 1;
      onProgress(done, heads.size);
    }
    return { ...result, chunks: seen.size };
  }

  /** @param seen the chunks that are known to be whole, by their hashes */
  async #verifyFile(head: string, result: Verified, seen: Set<string>): Promise<void> {
    for (const file of await this.generations(await this.#manifest(head))) {
      result.generations += 1;
      result.bytes += file.bytes;
      for (const chunk of file.chunks) {
        if (seen.has(chunk.hash)) continue;
        if (await this.#isMended(file, chunk)) result.mended += 1;
        seen.add(chunk.hash);
      }
    }
  }

  /** Whether a chunk was damaged and could be mended. Throws what is wrong with it where it could not. */
  async #isMended(file: KeptFile, chunk: Chunk): Promise<boolean> {
    try {
      await this.#verifyChunk(chunk);
      return false;
    } catch (error) {
      unlessDamaged(error);
      if (await this.#mend(file, chunk)) return true;
      throw damaged(`${(error as Error).message}, of ${file.path}`);
    }
  }

  /**
   * Removes objects that no kept file needs and that were not put in the last `graceMs`. Returns how many, and their
   * size.
   */
  async collect(graceMs = GRACE_MS): Promise<{ removed: number; storedBytes: number }> {
    const before = this.#now() - graceMs;
    const objects = [...(await this.store.list("chunks/")), ...(await this.store.list("manifests/"))];
    const unused = objects.filter(({ putAtMs }) => putAtMs < before);
    if (unused.length === 0) return { removed: 0, storedBytes: 0 };
    // Twice: a file that is moved while the heads are read is at its new place for the second reading.
    const needed = await this.#needed();
    const neededLater = await this.#needed();
    const needless = unused
      .map(({ name }) => name)
      .filter((name) => !needed.has(name) && !neededLater.has(name));
    const gone = await this.store.remove(needless, before);
    const removed = unused.filter(({ name }) => gone.has(name));
    return { removed: removed.length, storedBytes: removed.reduce((sum, one) => sum + one.storedBytes, 0) };
  }

  /** The names of all objects that can be reached from a head. Rejects with `archive-damaged`: then nothing may be removed. */
  async #needed(): Promise<Set<string>> {
    const names = new Set<string>();
    for (const head of (await this.store.readHeads(FILES)).values()) {
      for (const file of await this.generations(await this.#manifest(head))) {
        names.add(manifestName(file.hash));
        for (const { hash } of file.chunks) names.add(chunkName(hash));
      }
    }
    return names;
  }

  async #verifyChunk(chunk: Chunk): Promise<void> {
    const bytes = unpackChunk(await this.store.get(chunkName(chunk.hash)), chunk);
    if (sha256(bytes) !== chunk.hash) throw damaged(`The chunk ${chunk.hash} is damaged`);
  }

  /** Replaces a damaged chunk. False if its file no longer has these bytes. */
  async #mend({ path }: KeptFile, { hash, at, bytes }: Chunk): Promise<boolean> {
    const found = bytesOnDisk(path, at, at + bytes);
    if (found === null || sha256(found) !== hash) return false;
    await this.replace(chunkName(hash), pack(found));
    return true;
  }

  async #newest(headName: string): Promise<KeptFile | null> {
    const hash = await this.store.readHead(headName);
    return hash === null ? null : this.#manifest(hash);
  }

  async #manifest(hash: string): Promise<KeptFile> {
    return decodeManifest(hash, await this.store.get(manifestName(hash)));
  }
}

/** Null for `archive-damaged`; rethrows any other error. */
export function unlessDamaged(error: unknown): null {
  if (isViewerError(error) && error.code === "archive-damaged") return null;
  throw error;
}

/** Null if the file is gone or cannot be read. */
function bytesOnDisk(path: string, from: number, to: number): Uint8Array | null {
  let file: OpenFile | null = null;
  try {
    file = openOnDiskSync(dirname(path), path);
    return readRangeSync(file, from, to);
  } catch (error) {
    if (isViewerError(error) || faultCode(error) !== null) return null;
    throw error;
  } finally {
    file?.close();
  }
}
