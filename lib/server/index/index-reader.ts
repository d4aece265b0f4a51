import { statOf } from "@/lib/server/disk/kept-files";
import { fileIdOf } from "./index-file";
import { IndexStore, type StoredSession } from "./index-store";
import { openDatabase } from "./load-sqlite";

/** Reads skeletons from an index that another thread writes: opens it when first asked, and again when it is another file. */
export class IndexReader {
  #open: { path: string; file: string | null; store: IndexStore } | null = null;

  /** Null if the index does not contain the whole session, or cannot be read: then the logs are read. */
  load(indexPath: string | null, mainPath: string): StoredSession | null {
    if (indexPath === null) return null;
    try {
      const main = statOf(mainPath);
      return main && this.#storeOf(indexPath).load(mainPath, `${main.dev}:${main.ino}`);
    } catch {
      // Busy, damaged, on a full disk, of an older version: whatever it is, the writer notices and reports it.
      return null;
    }
  }

  close(): void {
    this.#open?.store.close();
    this.#open = null;
  }

  #storeOf(path: string): IndexStore {
    const file = fileIdOf(path);
    if (this.#open?.path === path && this.#open.file === file) return this.#open.store;
    this.close();
    const store = new IndexStore(openDatabase(path, { readOnly: true }));
    this.#open = { path, file, store };
    return store;
  }
}
