import { closeSync, fstatSync, openSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { renameHeld } from "@/lib/server/disk/rename-held.mjs";
import { type BatchIndex, encodeBatch, readAt, readBatchIndex } from "./batch-file";
import type { StoredObject } from "./object-store";
import {
  inFolder,
  isSettled,
  makeFolder,
  move,
  putNow,
  statOrNull,
  storedNames,
  syncFolder,
  unlessMissing,
} from "./store-files";

/** The position of an object. */
type Place = { batch: string; at: number; length: number };

/** The folder of batches that are being removed. */
const ASIDE = "aside";

/**
 * Short objects, many to a file: creating a file for each takes longer than reading and packing its contents. A file
 * never changes. If some of its objects are removed, the others are written to a new one; then the old one is moved
 * aside first, and back if somebody put one of its objects at that moment. The contents of the files are read when they
 * are first needed.
 */
export class Batches {
  readonly #folder: string;
  readonly #write: (parts: readonly Uint8Array[]) => Promise<string>;
  readonly #objects = new Map<string, Place>();
  /** The batches whose objects are known. */
  readonly #read = new Set<string>();
  /** The folder's modification time when they were read, if it was at rest then. */
  #folderMs: number | null = null;

  /** @param write writes parts of one file durably, under a name that nobody else has, and returns its path */
  constructor(folder: string, write: (parts: readonly Uint8Array[]) => Promise<string>) {
    this.#folder = folder;
    this.#write = write;
  }

  /** Null also for an object that somebody else has put since `refresh`. */
  get(name: string): Uint8Array | null {
    const bytes = this.#bytes(name);
    if (bytes || !this.#objects.has(name)) return bytes;
    // Its batch is gone, and it may be in the one that took its place.
    this.#forgetAll();
    this.refresh();
    return this.#bytes(name);
  }

  /**
   * True if the object is in a batch: then everything in that batch counts as put now. False where `get` may return
   * null.
   */
  touch(name: string): boolean {
    if (this.#read.size === 0) this.refresh();
    const batch = this.#objects.get(name)?.batch;
    return batch !== undefined && !isAside(batch) && putNow(join(this.#folder, batch));
  }

  /** Puts objects durably. Rejects with the system's errors: then none of them was put. */
  async put(objects: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const { parts, index } = encodeBatch(objects);
    const written = await this.#write(parts);
    const batch = basename(written);
    const path = join(this.#folder, batch);
    inFolder(path, () => renameHeld(written, path));
    this.#take(batch, index);
  }

  /** The objects whose names begin so, each once. Those of a batch were put when it was. */
  list(prefix: string): StoredObject[] {
    this.refresh();
    const times = new Map<string, number>();
    const found: StoredObject[] = [];
    for (const [name, { batch, length }] of this.#objects) {
      if (!name.startsWith(prefix)) continue;
      const putAtMs = times.get(batch) ?? statOrNull(join(this.#folder, batch))?.mtimeMs ?? Date.now();
      times.set(batch, putAtMs);
      found.push({ name, storedBytes: length, putAtMs });
    }
    return found;
  }

  /** Removes objects from the batches of which nothing was put since `putBeforeMs`. Returns the objects that stay. */
  async remove(names: ReadonlySet<string>, putBeforeMs: number): Promise<Set<string>> {
    this.refresh();
    const stay = new Set<string>();
    for (const batch of [...this.#read]) {
      const index = this.#index(batch);
      const chosen = index?.objects.map(([name]) => name).filter((name) => names.has(name)) ?? [];
      if (index && chosen.length > 0 && !(await this.#rewrite(batch, index, names, putBeforeMs)))
        for (const name of chosen) stay.add(name);
    }
    return stay;
  }

  /** Restores what a process that died had moved aside. */
  recover(): void {
    const aside = join(this.#folder, ASIDE);
    for (const name of storedNames(aside)) move(join(aside, name), join(this.#folder, name));
  }

  /** Reads the contents of new batches, and forgets those that are gone. */
  refresh(): void {
    const folderMs = statOrNull(this.#folder)?.mtimeMs ?? null;
    if (folderMs !== null && folderMs === this.#folderMs) return;
    // Somebody may need an object that was moved aside by a process that died before it could move it back.
    const aside = storedNames(join(this.#folder, ASIDE)).map((name) => `${ASIDE}/${name}`);
    const all = new Set([...aside, ...storedNames(this.#folder).filter((name) => name !== ASIDE)]);
    if ([...this.#read].some((batch) => !all.has(batch))) this.#forgetAll();
    for (const batch of all) {
      const index = this.#read.has(batch) ? null : this.#index(batch);
      if (index) this.#take(batch, index);
    }
    this.#folderMs = folderMs !== null && isSettled(folderMs) ? folderMs : null;
  }

  /** Removes objects from a batch. False if somebody put one of its objects since then: then all stay. */
  async #rewrite(
    batch: string,
    index: BatchIndex,
    names: ReadonlySet<string>,
    putBeforeMs: number,
  ): Promise<boolean> {
    const path = join(this.#folder, batch);
    if ((statOrNull(path)?.mtimeMs ?? putBeforeMs) >= putBeforeMs) return false;
    const others = new Map<string, Uint8Array>();
    for (const [name, place] of placesIn(batch, index)) {
      const bytes = names.has(name) ? null : this.#bytesAt(place);
      if (bytes) others.set(name, bytes);
    }
    if (others.size > 0) {
      await this.put(others);
      await syncFolder(this.#folder);
    }
    const aside = join(this.#folder, ASIDE, basename(path));
    makeFolder(join(this.#folder, ASIDE));
    move(path, aside);
    // Objects put until now are seen in its modification time; objects put from now on do not find it there.
    const isUnused = (statOrNull(aside)?.mtimeMs ?? putBeforeMs) < putBeforeMs;
    if (isUnused) rmSync(aside, { force: true });
    else move(aside, path);
    this.refresh();
    return isUnused;
  }

  #take(batch: string, index: BatchIndex): void {
    for (const [name, place] of placesIn(batch, index)) this.#objects.set(name, place);
    this.#read.add(batch);
  }

  #forgetAll(): void {
    this.#objects.clear();
    this.#read.clear();
    this.#folderMs = null;
  }

  #index(batch: string): BatchIndex | null {
    return this.#with(batch, readBatchIndex);
  }

  #bytes(name: string): Uint8Array | null {
    const place = this.#objects.get(name);
    return place ? this.#bytesAt(place) : null;
  }

  #bytesAt({ batch, at, length }: Place): Uint8Array | null {
    return this.#with(batch, (descriptor) => readAt(descriptor, at, length));
  }

  /** Null where the batch is gone. */
  #with<T>(batch: string, read: (descriptor: number) => T | null): T | null {
    const descriptor = unlessMissing(() => openSync(join(this.#folder, batch), "r"));
    if (descriptor === null) return null;
    try {
      return fstatSync(descriptor).isFile() ? read(descriptor) : null;
    } finally {
      closeSync(descriptor);
    }
  }
}

function isAside(batch: string): boolean {
  return batch.startsWith(`${ASIDE}/`);
}

function* placesIn(batch: string, { objects, startsAt }: BatchIndex): Generator<[string, Place]> {
  let at = startsAt;
  for (const [name, length] of objects) {
    yield [name, { batch, at, length }];
    at += length;
  }
}
