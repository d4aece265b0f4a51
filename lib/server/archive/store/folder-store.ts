import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { renameHeld } from "@/lib/server/disk/rename-held.mjs";
import { Batches } from "./batches";
import { FolderHeads } from "./folder-heads";
import type { StoredObject, SyncObjectStore } from "./object-store";
import { inFolder, makeFolder, move, putNow, readOrNull, statOrNull } from "./store-files";
import { StoreFolder } from "./store-folder";
import { WaitingObjects } from "./waiting-objects";

/** Longer objects have files of their own, and so have further ones while this much is waiting: memory is limited. */
const MAX_BATCHED_BYTES = 512 * 1024;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Fewer objects have files of their own, too: every thread that reads kept files must know the contents of batches. */
const MIN_BATCH = 16;

/**
 * A store in a folder, for any number of processes at once, without locks: none is left behind by one that is killed.
 * An object is written beside its place and renamed; heads are those of `FolderHeads`. All calls block their thread, but
 * for the disk's word that bytes last.
 */
export class FolderStore implements SyncObjectStore {
  readonly #folder: StoreFolder;
  readonly #heads: FolderHeads;
  /** Objects that are being put, by name: short files are often equal, and many are put at once. */
  readonly #putting = new Map<string, Promise<void>>();
  readonly #batches: Batches;
  /** Objects that are written together before the next head, and those that are being written. */
  #waiting = new WaitingObjects();
  #beingPut = new WaitingObjects();
  /** The targets of new heads, which are made together when the next batch is written. */
  #newHeads = new Map<string, string>();
  /** Folders that did not exist when an object's own file was looked for. */
  readonly #absent = new Set<string>();
  #nextBatch: Promise<void> | null = null;
  #lastBatch: Promise<void> = Promise.resolve();

  /** @param folder created with its first object, for its user alone */
  constructor(folder: string) {
    this.#folder = new StoreFolder(folder);
    this.#heads = new FolderHeads(this.#folder);
    this.#batches = new Batches(join(folder, "batches"), (parts) => this.#folder.write(parts));
  }

  /**
   * As `get`, for a thread that may wait.
   * @param into memory that is used for it where it has a file of its own and fits
   */
  getSync(name: string, into?: Uint8Array): Uint8Array | null {
    // A copy: its memory is reused after it is written.
    const waiting = this.#waiting.all.get(name) ?? this.#beingPut.all.get(name);
    const found = waiting ? Uint8Array.from(waiting) : this.#batches.get(name);
    const bytes = found ?? readOrNull(this.#folder.pathOf(name), into);
    if (bytes) return bytes;
    this.#batches.refresh();
    // An object that is being removed may have got a new user in the meantime.
    return this.#batches.get(name) ?? readOrNull(this.#folder.removedPath(name), into);
  }

  async get(name: string): Promise<Uint8Array | null> {
    return this.getSync(name);
  }

  async putIfAbsent(name: string, bytes: Uint8Array, isLasting: boolean): Promise<boolean> {
    const path = this.#folder.pathOf(name);
    if ((this.#isFile(path) && putNow(path)) || this.#batches.touch(name)) return false;
    const mayWait =
      bytes.length <= MAX_BATCHED_BYTES && this.#waiting.bytes + bytes.length <= MAX_WAITING_BYTES;
    if (!isLasting && mayWait) {
      if (this.#waiting.all.has(name) || this.#beingPut.all.has(name)) return false;
      this.#waiting.add(name, bytes);
      return true;
    }
    const same = this.#putting.get(name);
    if (same) {
      await same;
      return false;
    }
    const putting = this.#put(path, bytes);
    this.#putting.set(name, putting);
    try {
      await putting;
    } finally {
      this.#putting.delete(name);
    }
    return true;
  }

  /**
   * Looked for first: an error for each of thousands of new objects would cost more. False also where another process
   * has made the first of a folder since it was looked for: then an object is put twice, and is there.
   */
  #isFile(path: string): boolean {
    const folder = dirname(path);
    if (this.#absent.has(folder)) return false;
    if (existsSync(path)) return true;
    if (!existsSync(folder)) this.#absent.add(folder);
    return false;
  }

  async #put(path: string, bytes: Uint8Array): Promise<void> {
    this.#absent.delete(dirname(path));
    const written = await this.#folder.write([bytes]);
    // Its new name lasts when that of a later head does: file systems keep the order of names.
    inFolder(path, () => renameHeld(written, path));
  }

  /** Makes everything that waits durable, in one batch with whatever is put until the batch before is written. */
  #putWaiting(): Promise<void> {
    if (this.#waiting.all.size === 0) return this.#lastBatch;
    this.#nextBatch ??= this.#lastBatch
      .catch(() => undefined)
      .then(() => nextTurn())
      .then(() => {
        this.#nextBatch = null;
        this.#lastBatch = this.#putBatch();
        return this.#lastBatch;
      });
    return this.#nextBatch;
  }

  async #putBatch(): Promise<void> {
    const objects = this.#waiting;
    const heads = this.#newHeads;
    this.#beingPut = objects;
    this.#waiting = new WaitingObjects();
    this.#newHeads = new Map();
    try {
      if (objects.all.size >= MIN_BATCH) {
        await this.#batches.put(objects.all);
        this.#heads.swapTogether(heads);
      } else for (const [name, bytes] of objects.all) await this.#put(this.#folder.pathOf(name), bytes);
      this.#beingPut = new WaitingObjects();
      objects.clear();
    } catch (error) {
      // They stay in the queue: somebody else may rely on them.
      this.#beingPut = new WaitingObjects();
      this.#waiting.takeOver(objects);
      throw error;
    }
  }

  async list(prefix: string): Promise<StoredObject[]> {
    const found = this.#batches.list(prefix);
    for (const { name, path } of this.#folder.filesUnder(prefix)) {
      const stats = statOrNull(path);
      if (stats) found.push({ name, storedBytes: stats.size, putAtMs: stats.mtimeMs });
    }
    return found;
  }

  async remove(names: readonly string[], putBeforeMs: number): Promise<Set<string>> {
    const inBatches = await this.#batches.remove(new Set(names), putBeforeMs);
    return new Set(names.filter((name) => this.#removeFile(name, putBeforeMs) && !inBatches.has(name)));
  }

  #removeFile(name: string, putBeforeMs: number): boolean {
    const path = this.#folder.pathOf(name);
    const stats = statOrNull(path);
    if (!stats) return true;
    if (stats.mtimeMs >= putBeforeMs) return false;
    const aside = this.#folder.removedPath(name);
    makeFolder(dirname(aside));
    move(path, aside);
    // An object put until now is seen in its modification time; one put from now on is written again.
    const isUnused = (statOrNull(aside)?.mtimeMs ?? putBeforeMs) < putBeforeMs;
    if (isUnused) rmSync(aside, { force: true });
    else move(aside, path);
    return isUnused;
  }

  /** As `readHead`, for a thread that may wait. */
  readHeadSync(name: string): string | null {
    return this.#heads.read(name);
  }

  async readHead(name: string): Promise<string | null> {
    return this.#heads.read(name);
  }

  async readHeads(prefix: string): Promise<Map<string, string>> {
    return this.#heads.readAll(prefix);
  }

  async swapHead(
    name: string,
    expected: string | null,
    next: string | null,
    object?: string,
  ): Promise<boolean> {
    if (expected === null && next !== null) this.#newHeads.set(name, next);
    await this.#putWaiting();
    this.#newHeads.delete(name);
    return this.#heads.swap(name, expected, next, object);
  }

  /** Restores what a process that died had begun to remove, and deletes what it had begun to write long ago. */
  recover(unusedSinceMs: number): void {
    this.#batches.recover();
    this.#folder.recover(unusedSinceMs);
  }
}
