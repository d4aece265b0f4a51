import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  entriesIn,
  inFolder,
  makeFolder,
  move,
  statOrNull,
  storedNames,
  synced,
  writeAll,
} from "./store-files";

/** Of the files of a store: for its user alone. */
export const STORE_FILE_MODE = 0o600;

/** The folders of files that are being written, and of files that are being removed. */
const PARTIAL = "partial";
const REMOVED = "removed";

/** The folder of a store: where the file of a name is, and how one is written. */
export class StoreFolder {
  readonly #folder: string;
  /** Names of written files contain the writer and a counter. */
  readonly #writer = `${process.pid}-${randomBytes(8).toString("hex")}`;
  #written = 0;

  /** @param folder created with its first file, for its user alone */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `chunks/abcdef` is in `chunks/ab/cdef`: no folder gets too long to read. */
  pathOf(name: string): string {
    const at = name.lastIndexOf("/") + 1;
    return join(this.#folder, name.slice(0, at), name.slice(at, at + 2), name.slice(at + 2));
  }

  /** Where the file of a name is while it is being removed. */
  removedPath(name: string): string {
    return this.pathOf(`${REMOVED}/${name}`);
  }

  /** The path of a file that is being written, which no other writer has. */
  newPath(): string {
    return join(this.#folder, PARTIAL, `${this.#writer}-${this.#written++}`);
  }

  /** Writes a file of these parts durably, under a name of its own, and returns its path. */
  async write(parts: readonly Uint8Array[]): Promise<string> {
    const path = this.newPath();
    const descriptor = inFolder(path, () => openSync(path, "wx", STORE_FILE_MODE));
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

  /** The files whose names begin like this, in no order. */
  filesUnder(prefix: string): { name: string; path: string }[] {
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

  /** Restores what a process that died had begun to remove, and deletes what it had begun to write long ago. */
  recover(unusedSinceMs: number): void {
    for (const { name, path } of this.filesUnder(`${REMOVED}/`)) {
      const place = this.pathOf(name.slice(REMOVED.length + 1));
      makeFolder(dirname(place));
      move(path, place);
    }
    for (const name of storedNames(join(this.#folder, PARTIAL))) {
      const path = join(this.#folder, PARTIAL, name);
      if ((statOrNull(path)?.mtimeMs ?? unusedSinceMs) < unusedSinceMs) rmSync(path, { force: true });
    }
  }
}
