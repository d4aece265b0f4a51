import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, linkSync, openSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { faultCode } from "@/lib/server/disk/file-fault";
import { renameHeld } from "@/lib/server/disk/rename-held.mjs";
import { Batches } from "./batches";
import type { StoredObject, SyncObjectStore } from "./object-store";
import { encodeSharedHead, headIn, isSharedHead, SharedHeads } from "./shared-heads";
import {
  entriesIn,
  inFolder,
  isSettled,
  makeFolder,
  move,
  putNow,
  readOrNull,
  statOrNull,
  storedNames,
  synced,
  syncFolder,
  unlessMissing,
  writeAll,
} from "./store-files";
import { WaitingObjects } from "./waiting-objects";

const FILE_MODE = 0o600;
/** The content of a head that names nothing any more. */
const NOTHING = "none";
/** A longer head file is a second name of the object that it names, which is the hash of its contents. */
const MAX_NAME_BYTES = 64;

/** The folders of files that are being written, and of files that are being removed. */
const PARTIAL = "partial";
const REMOVED = "removed";
const MAX_HEADS = 5_000;
/** Longer objects have files of their own, and so have further ones while this much is waiting: memory is limited. */
const MAX_BATCHED_BYTES = 512 * 1024;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Fewer objects have files of their own, too: every thread that reads kept files must know the contents of batches. */
const MIN_BATCH = 16;

/**
 * A store in a folder, for any number of processes at once, without locks: none is left behind by one that is killed.
 * An object is written beside its place and renamed. A head is a row of numbered files, of which the one with the
 * highest number counts: only one process can create the next number (a hard link fails where the name is taken),
 * so it is the one that knew the number before. All calls block their thread, but for the disk's word that bytes last.
 */
export class FolderStore implements SyncObjectStore {
  readonly #folder: string;
  /** Names of written files contain the writer and a counter. */
  readonly #writer = `${process.pid}-${randomBytes(8).toString("hex")}`;
  #written = 0;
  /** Heads as they were read, with their folder's modification time. */
  readonly #heads = new Map<string, { folderMs: number; says: string | null }>();
  /** Objects that are being put, by name: short files are often equal, and many are put at once. */
  readonly #putting = new Map<string, Promise<void>>();
  readonly #batches: Batches;
  /** Objects that are written together before the next head, and those that are being written. */
  #waiting = new WaitingObjects();
  #beingPut = new WaitingObjects();
  /** The targets of new heads when the next batch is written, and of those that were swapped with it. */
  #newHeads = new Map<string, string>();
  readonly #swapped = new Map<string, string>();
  /** Folders that did not exist when an object's own file was looked for. */
  readonly #absent = new Set<string>();
  #nextBatch: Promise<void> | null = null;
  #lastBatch: Promise<void> = Promise.resolve();

  /** @param folder created with its first object, for its user alone */
  constructor(folder: string) {
    this.#folder = folder;
    this.#batches = new Batches(join(folder, "batches"), (parts) => this.#write(parts));
  }

  /**
   * As `get`, for a thread that may wait.
   * @param into memory that is used for it where it has a file of its own and fits
   */
  getSync(name: string, into?: Uint8Array): Uint8Array | null {
    // A copy: its memory is reused after it is written.
    const waiting = this.#waiting.all.get(name) ?? this.#beingPut.all.get(name);
    const found = waiting ? Uint8Array.from(waiting) : this.#batches.get(name);
    const bytes = found ?? readOrNull(this.#pathOf(name), into);
    if (bytes) return bytes;
    this.#batches.refresh();
    // An object that is being removed may have got a new user in the meantime.
    return this.#batches.get(name) ?? readOrNull(this.#removedPath(name), into);
  }

  async get(name: string): Promise<Uint8Array | null> {
    return this.getSync(name);
  }

  async putIfAbsent(name: string, bytes: Uint8Array, isLasting: boolean): Promise<boolean> {
    const path = this.#pathOf(name);
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
    const written = await this.#write([bytes]);
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
        this.#swapTogether(heads);
      } else for (const [name, bytes] of objects.all) await this.#put(this.#pathOf(name), bytes);
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
    for (const { name, path } of this.#filesUnder(prefix)) {
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
    const path = this.#pathOf(name);
    const stats = statOrNull(path);
    if (!stats) return true;
    if (stats.mtimeMs >= putBeforeMs) return false;
    const aside = this.#removedPath(name);
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
    // Heads are requested with every search: they are read again only if something in their folder has changed.
    const folderMs = statOrNull(dirname(this.#pathOf(name)))?.mtimeMs ?? null;
    if (folderMs === null) return null;
    const known = this.#heads.get(name);
    if (known?.folderMs === folderMs) return known.says;
    const newest = this.#headNumbers(name).at(-1);
    const says = newest === undefined ? null : this.#readHead(name, newest);
    if (!isSettled(folderMs)) return says;
    if (this.#heads.size >= MAX_HEADS) this.#heads.clear();
    this.#heads.set(name, { folderMs, says });
    return says;
  }

  /** @param onShared called with all entries of a file that is the head of several names */
  #readHead(name: string, number: number, onShared?: (text: string) => void): string | null {
    const says = readOrNull(this.#headPath(name, number));
    // The next one exists before this one is removed.
    if (says === null) return this.readHeadSync(name);
    const isShared = isSharedHead(says);
    if (!isShared && says.length > MAX_NAME_BYTES) return createHash("sha256").update(says).digest("hex");
    const text = Buffer.from(says).toString("utf8");
    if (isShared) onShared?.(text);
    if (isShared) return headIn(text, name);
    return text === NOTHING || text === "" ? null : text;
  }

  async readHead(name: string): Promise<string | null> {
    return this.readHeadSync(name);
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
    if (expected === null && next !== null && this.#swapped.get(name) === next)
      return this.#swapped.delete(name);
    // Most heads are new: then one check afterwards is enough.
    if (expected === null && (await this.#addHead(name, 1, expected, next, object))) return true;
    const before = this.#headNumbers(name).at(-1);
    if ((before === undefined ? null : this.#readHead(name, before)) !== expected) return false;
    return this.#addHead(name, (before ?? 0) + 1, expected, next, object);
  }

  /** True if it has this number now, and no other head has a higher one. */
  async #addHead(
    name: string,
    number: number,
    expected: string | null,
    next: string | null,
    object?: string,
  ): Promise<boolean> {
    const path = this.#headPath(name, number);
    try {
      if (!(object && this.#linkObject(object, path)))
        await this.#writeHead(next ?? NOTHING, path, expected !== null);
    } catch (error) {
      if (faultCode(error) === "EEXIST") return false;
      throw error;
    }
    if (expected !== null) await syncFolder(dirname(path));
    // A number may be free again because later ones were faster: then this one is not the head.
    const numbers = this.#headNumbers(name);
    const isNewest = numbers.at(-1) === number;
    const past = isNewest ? numbers.slice(0, -1) : [number];
    for (const one of past) rmSync(this.#headPath(name, one), { force: true });
    return isNewest;
  }

  /** Creates no file, which is most of the cost of a short one. False for an object that has no file of its own. */
  #linkObject(object: string, path: string): boolean {
    const from = this.#pathOf(object);
    if ((statOrNull(from)?.size ?? 0) <= MAX_NAME_BYTES) return false;
    return unlessMissing(() => inFolder(path, () => linkSync(from, path)) ?? true) ?? false;
  }

  /**
   * Writes a file with the targets of these heads, and links each head to it: a link is faster to create than a file. A
   * head that another process has created meanwhile is left to the next swap.
   */
  #swapTogether(heads: ReadonlyMap<string, string>): void {
    if (heads.size === 0) return;
    const shared = this.#newPath();
    inFolder(shared, () => writeFileSync(shared, encodeSharedHead(heads), { flag: "wx", mode: FILE_MODE }));
    const linked: string[] = [];
    try {
      for (const name of heads.keys()) if (this.#linkNew(shared, this.#headPath(name, 1))) linked.push(name);
    } finally {
      unlinkSync(shared);
    }
    // As in `addHead`, with one check of each folder.
    const overtaken = new Set<string>();
    for (const folder of new Set(linked.map((name) => dirname(this.#pathOf(name)))))
      for (const file of storedNames(folder))
        if (!file.endsWith(".1")) overtaken.add(join(folder, file.slice(0, file.lastIndexOf("."))));
    for (const name of linked) {
      if (overtaken.has(this.#pathOf(name))) rmSync(this.#headPath(name, 1), { force: true });
      else this.#swapped.set(name, heads.get(name) ?? "");
    }
  }

  /** False if the name is taken. */
  #linkNew(from: string, path: string): boolean {
    try {
      inFolder(path, () => linkSync(from, path));
      return true;
    } catch (error) {
      if (faultCode(error) === "EEXIST") return false;
      throw error;
    }
  }

  async #writeHead(says: string, path: string, isLasting: boolean): Promise<void> {
    // If nothing is lost by it, a head that is empty after a crash counts as missing.
    if (!isLasting) {
      inFolder(path, () => writeFileSync(path, says, { flag: "wx", mode: FILE_MODE }));
      return;
    }
    const written = await this.#write([Buffer.from(says)]);
    try {
      inFolder(path, () => linkSync(written, path));
    } finally {
      unlinkSync(written);
    }
  }

  async readHeads(prefix: string): Promise<Map<string, string>> {
    const newest = new Map<string, number>();
    for (const { name } of this.#filesUnder(prefix)) {
      const [head = "", number] = name.split(".");
      newest.set(head, Math.max(newest.get(head) ?? 0, Number(number)));
    }
    const heads = new Map<string, string>();
    const shared = new SharedHeads();
    for (const [name, number] of newest) {
      const path = this.#headPath(name, number);
      const says = shared.find(path, name) ?? this.#readHead(name, number, (text) => shared.add(path, text));
      if (says !== null) heads.set(name, says);
    }
    return heads;
  }

  /** Restores what a process that died had begun to remove, and deletes what it had begun to write long ago. */
  recover(unusedSinceMs: number): void {
    this.#batches.recover();
    for (const { name, path } of this.#filesUnder(`${REMOVED}/`)) {
      const place = this.#pathOf(name.slice(REMOVED.length + 1));
      makeFolder(dirname(place));
      move(path, place);
    }
    for (const name of storedNames(join(this.#folder, PARTIAL))) {
      const path = join(this.#folder, PARTIAL, name);
      if ((statOrNull(path)?.mtimeMs ?? unusedSinceMs) < unusedSinceMs) rmSync(path, { force: true });
    }
  }

  /** Writes a file of these parts durably, under a name of its own, and returns its path. */
  async #write(parts: readonly Uint8Array[]): Promise<string> {
    const path = this.#newPath();
    const descriptor = inFolder(path, () => openSync(path, "wx", FILE_MODE));
    let isWritten = false;
    try {
      writeAll(descriptor, parts);
      await synced(descriptor);
      isWritten = true;
    } finally {
      closeSync(descriptor);
      if (!isWritten) rmSync(path, { force: true });
    }
    return path;
  }

  #newPath(): string {
    return join(this.#folder, PARTIAL, `${this.#writer}-${this.#written++}`);
  }

  /** `chunks/abcdef` is in `chunks/ab/cdef`: no folder gets too long to read. */
  #pathOf(name: string): string {
    const at = name.lastIndexOf("/") + 1;
    return join(this.#folder, name.slice(0, at), name.slice(at, at + 2), name.slice(at + 2));
  }

  #removedPath(name: string): string {
    return this.#pathOf(`${REMOVED}/${name}`);
  }

  #headPath(name: string, number: number): string {
    return `${this.#pathOf(name)}.${number}`;
  }

  /** The numbers of a head's files, the valid one last. */
  #headNumbers(name: string): number[] {
    const path = this.#pathOf(name);
    const start = `${basename(path)}.`;
    const numbers = storedNames(dirname(path))
      .filter((file) => file.startsWith(start))
      .map((file) => Number(file.slice(start.length)));
    return numbers.sort((a, b) => a - b);
  }

  #filesUnder(prefix: string): { name: string; path: string }[] {
    const folder = prefix.slice(0, prefix.lastIndexOf("/"));
    const found: { name: string; path: string }[] = [];
    const waiting = [folder];
    for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
      for (const entry of entriesIn(join(this.#folder, dir))) {
        if (entry.isDirectory()) waiting.push(`${dir}/${entry.name}`);
        else {
          const name = dir + entry.name;
          if (name.startsWith(prefix)) found.push({ name, path: join(this.#folder, dir, entry.name) });
        }
      }
    }
    return found;
  }
}
