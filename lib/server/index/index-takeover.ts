import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { nextSlice } from "@/lib/server/runtime/next-slice";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import type { LibraryIndex } from "./library-index";

/** What the index held at the start, handed over to the sessions as they are listed. */
export class IndexTakeover {
  /** By main log: what no listed session has taken over yet. */
  readonly #entries: Map<string, StoredEntry>;
  #taken: SessionFiles[] = [];

  constructor(entries: readonly StoredEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.files[0]?.path ?? "", entry]));
  }

  /** Sessions whose files are what the index says are complete at once, and are looked at more closely when all are listed. */
  takeListed(catalog: Catalog, take: (files: SessionFiles, entry: StoredEntry) => void): void {
    if (this.#entries.size === 0) return;
    for (const { id } of catalog.summaries()) {
      const files = catalog.sessionFiles(id);
      const entry = this.#entries.get(files.main.path);
      if (!entry) continue;
      this.#entries.delete(files.main.path);
      if (!isSame(entry, files)) continue;
      take(files, entry);
      this.#taken.push(files);
    }
  }

  /**
   * When all are listed: puts what the sessions add to totals there, and returns those that must be read
   * again, since they are not what was indexed after all, or their share is damaged.
   */
  async settle(
    index: Pick<LibraryIndex, "shares" | "verify">,
    totals: LibraryTotals,
  ): Promise<SessionFiles[]> {
    const taken = this.#taken;
    this.#taken = [];
    // A first start has nothing to compare, and its index is being written.
    if (taken.length === 0) return [];
    const shares = new Map((await index.shares()).map(({ path, share }) => [path, share]));
    for (const { id, main } of taken) {
      // A library of half a million messages takes half a second.
      await nextSlice();
      const share = shares.get(main.path);
      if (share) totals.put(id, share);
    }
    const sessions = taken.map(({ main, root }) => ({ path: main.path, root }));
    const stale = new Set(await index.verify(sessions));
    return taken.filter(({ main }) => stale.has(main.path) || !shares.has(main.path));
  }

  /** Main logs that the index knew and that were not listed; it is asked for them once. */
  leftOver(): string[] {
    const paths = [...this.#entries.keys()];
    this.#entries.clear();
    return paths;
  }
}

/** True if the files look like those that were indexed; whether they are is for their hashes to say. */
function isSame(entry: StoredEntry, { main, agents }: SessionFiles): boolean {
  const listed = [main, ...agents];
  if (listed.length !== entry.files.length || entry.unread.length > 0) return false;
  return listed.every(({ path, dev, ino, bytes }, at) => {
    const file = entry.files[at];
    // One that was not read to its end may end in a record that earlier versions of Backscroll took for half a line.
    const isWhole = file?.bytes === bytes;
    return isWhole && file.path === path && file.dev === dev && file.ino === ino && file.size === bytes;
  });
}
