import { statOf } from "@/lib/server/disk/kept-files";
import { fileIdOf } from "./index-file";
import { IndexStore, type StoredSession } from "./index-store";
import { openDatabase } from "./load-sqlite";

/** Reads skeletons from an index that another thread writes. */
export type IndexReader = {
  /** Null if the index does not contain the whole session, or cannot be read: then the logs are read. */
  load(indexPath: string | null, mainPath: string): StoredSession | null;
  close(): void;
};

/** A reader that opens the index when it is first asked, and again when it is another file. */
export function createIndexReader(): IndexReader {
  let open: { path: string; file: string | null; store: IndexStore } | null = null;

  function storeOf(path: string): IndexStore {
    const file = fileIdOf(path);
    if (open?.path === path && open.file === file) return open.store;
    open?.store.close();
    open = null;
    open = { path, file, store: new IndexStore(openDatabase(path, { readOnly: true })) };
    return open.store;
  }

  return {
    load(indexPath, mainPath) {
      if (indexPath === null) return null;
      try {
        const main = statOf(mainPath);
        return main && storeOf(indexPath).load(mainPath, `${main.dev}:${main.ino}`);
      } catch {
        // Busy, damaged, on a full disk, of an older version: whatever it is, the writer notices and reports it.
        return null;
      }
    },
    close() {
      open?.store.close();
      open = null;
    },
  };
}
