import { basename, dirname } from "node:path";
import type { FileStats, KeptEntry } from "@/lib/server/disk/kept-files";

/** The kept files: all of them, or the changes since the last report. Null: no longer kept at that path. */
export type KeptNews = { isAll: boolean; files: (readonly [path: string, stats: FileStats | null])[] };

/** The kept files by path, and the folders that contain any. */
export class KeptListing {
  readonly #files = new Map<string, FileStats>();
  readonly #folders = new Map<string, Map<string, KeptEntry>>();

  /** Increases when a file is added, or is kept no longer. */
  revision = 0;

  find(path: string): FileStats | null {
    return this.#files.get(path) ?? null;
  }

  paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** The kept files and folders in a folder, in any order. */
  entries(folder: string): readonly KeptEntry[] {
    return [...(this.#folders.get(folder)?.values() ?? [])];
  }

  /** Applies a report. */
  take({ isAll, files }: KeptNews): void {
    const gone = isAll ? new Set(this.#files.keys()) : new Set<string>();
    for (const [path, stats] of files) {
      gone.delete(path);
      if (stats) this.#put(path, stats);
      else this.#remove(path);
    }
    for (const path of gone) this.#remove(path);
  }

  #put(path: string, stats: FileStats): void {
    if (!this.#files.has(path)) {
      this.revision += 1;
      this.#link(path);
    }
    this.#files.set(path, stats);
  }

  /** Removes a file, with the folders that then contain none. */
  #remove(path: string): void {
    if (!this.#files.delete(path)) return;
    this.revision += 1;
    for (let [at, folder] = [path, dirname(path)]; ; [at, folder] = [folder, dirname(folder)]) {
      const entries = this.#folders.get(folder);
      entries?.delete(basename(at));
      if (entries?.size !== 0) return;
      this.#folders.delete(folder);
    }
  }

  #link(path: string): void {
    let isFolder = false;
    for (let [at, folder] = [path, dirname(path)]; at !== folder; [at, folder] = [folder, dirname(folder)]) {
      const entries = this.#folders.get(folder) ?? new Map<string, KeptEntry>();
      const isKnown = entries.has(basename(at));
      entries.set(basename(at), { name: basename(at), isFolder });
      this.#folders.set(folder, entries);
      if (isKnown) return;
      isFolder = true;
    }
  }
}
