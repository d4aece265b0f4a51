import type { SessionFiles } from "@/lib/server/library/session-files";
import { signatureOf } from "@/lib/server/library/session-signature";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import type { SessionId } from "@/lib/wire/ids";

/** `isStored`: it lies in the index as well. */
type ReadOf = { signature: string; entry: StoredEntry; isStored: boolean };

/** What has been read of each session, and whether that is saved. */
export class ReadSessions {
  readonly #read = new Map<SessionId, ReadOf>();

  get size(): number {
    return this.#read.size;
  }

  get(id: SessionId): Omit<ReadOf, "signature"> | null {
    return this.#read.get(id) ?? null;
  }

  put(files: SessionFiles, entry: StoredEntry, isStored: boolean): void {
    this.#read.set(files.id, { signature: signatureOf(files), entry, isStored });
  }

  /** True if its files are those that were read. */
  holds(files: SessionFiles): boolean {
    return this.#read.get(files.id)?.signature === signatureOf(files);
  }

  /** Sessions that were read while the index could not be written. */
  unsaved(): SessionId[] {
    return [...this.#read].flatMap(([id, { isStored }]) => (isStored ? [] : [id]));
  }

  drop(id: SessionId): void {
    this.#read.delete(id);
  }

  keepOnly(ids: ReadonlySet<SessionId>): void {
    for (const id of this.#read.keys()) if (!ids.has(id)) this.#read.delete(id);
  }

  clear(): void {
    this.#read.clear();
  }
}
