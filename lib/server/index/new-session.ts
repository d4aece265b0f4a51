import { shareOf } from "@/lib/log/graph/session-share";
import type { SessionLog } from "@/lib/log/table/log-file";
import { SessionTable } from "@/lib/log/table/session-table";
import { placeFiles } from "@/lib/server/scan/place-files";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { HotSessions } from "./active-session-cache";
import { type Chunk, makeChunks } from "./chunk";
import type { IndexedSession } from "./index-session";
import type { IndexStore } from "./index-store";
import { concludeSession, type ReadLines, readLines } from "./read-session";
import { decodeSkeleton, encodeSkeleton } from "./skeleton-codec";

/**
 * The lines of a session that the index does not know, as another thread has read them: few pieces of memory,
 * which move between threads at no cost. Without `chunks` its texts were not asked for, so it cannot be saved.
 */
export type NewSession = Pick<ReadLines, "titles" | "slugs"> & {
  unread: number[];
  skeleton: Uint8Array[];
  chunks: Chunk[] | null;
};

/** Reads a session that the index does not know. Throws what `scanSession` throws. */
export function readNewSession(request: ScanRequest, wantsTexts: boolean): NewSession {
  const { scan, texts, titles, slugs } = readLines(request, null, wantsTexts);
  const skeleton = [...encodeSkeleton(placeFiles(scan.table, null), scan.files)];
  return { unread: scan.unread, skeleton, titles, slugs, chunks: wantsTexts ? makeChunks(texts) : null };
}

/**
 * Makes the entry of a session whose lines were read elsewhere, and saves it. Throws what SQLite does where the
 * index is damaged.
 */
export function takeNewSession(
  store: IndexStore | null,
  logs: readonly SessionLog[],
  { unread, skeleton, titles, slugs, chunks }: NewSession,
  hot: HotSessions,
): IndexedSession {
  const decoded = decodeSkeleton(skeleton);
  if (!decoded) throw new Error("The table of a session did not come whole from its thread");
  const { files } = decoded;
  const table = new SessionTable(decoded.table);
  const scan = { table, unread, files, continued: false, bytesRead: 0 };
  const { known, entry } = concludeSession({ scan, titles, slugs }, logs, null);
  const share = shareOf(table, known.graph);
  const row = chunks && store ? store.save(null, { entry, skeleton, share, chunks, replaces: null }) : null;
  // Without an index every session would be read anew for each of its lines.
  if (!store) hot.keep({ row, entry, table, files, graph: known, storedFiles: files });
  return { entry, share, goesOn: false, isStored: row !== null };
}
