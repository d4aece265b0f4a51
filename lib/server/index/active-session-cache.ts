import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { StoredFile } from "@/lib/server/scan/stored-session";
import type { KnownSession } from "./read-session";

/** A session that has grown, with its table as far as it was read. */
export type CachedSession = KnownSession & {
  /** Its row in the index; null without one. */
  row: number | null;
  /** How far the stored table reaches. */
  storedFiles: readonly StoredFile[];
};

const MAX_SESSIONS = 4;
/** About 64 MB of tables. */
const MAX_RECORDS = 400_000;

/** Tables of the sessions that grew last, so that an append costs what was appended. */
export class ActiveSessionCache {
  readonly #kept = new Map<string, CachedSession>();

  /**
   * Removes a session from the cache and returns it.
   * @param inIndex only a session that has a row there
   */
  take({ files: [main] }: ScanRequest, inIndex: boolean): CachedSession | null {
    const path = main?.path ?? "";
    const found = this.#kept.get(path) ?? null;
    this.#kept.delete(path);
    return inIndex && found?.row === null ? null : found;
  }

  /** Keeps a session, and drops those that grew longest ago beyond four sessions or 400,000 records. */
  keep(session: CachedSession): void {
    this.#kept.set(session.entry.files[0]?.path ?? "", session);
    let records = 0;
    for (const [path, { table }] of [...this.#kept].reverse()) {
      records += table.records.size;
      const isLatest = table === session.table;
      if (!isLatest && records > MAX_RECORDS) this.#kept.delete(path);
    }
    for (const path of this.#kept.keys()) {
      if (this.#kept.size <= MAX_SESSIONS) return;
      this.#kept.delete(path);
    }
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** What has been read of a session's files. */
export function readBytesOf(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
