import { type SessionShare, shareOf } from "@/lib/log/graph/session-share";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { isThere, statOf } from "@/lib/server/disk/kept-files";
import { placeFiles } from "@/lib/server/scan/place-files";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { StoredEntry, StoredFile } from "@/lib/server/scan/stored-session";
import { type ActiveSessionCache, type CachedSession, readBytesOf } from "./active-session-cache";
import { makeChunks, type TextChunk } from "./chunk";
import type { EncodedSession, IndexStore, StoredSession } from "./index-store";
import { concludeSession, readNewLines, type SessionLines } from "./read-session";
import { decodeSkeleton, encodeSkeleton } from "./skeleton-codec";

/**
 * What the library takes over of a session. `isStored`: the index holds all that the entry says. `goesOn`: of the
 * share's messages only those that the one before had not, or not with all of their lines.
 */
export type IndexedSession = { entry: StoredEntry; share: SessionShare; goesOn: boolean; isStored: boolean };

/**
 * A stored table may lag this far behind its log: it is rewritten when the log has grown by a twentieth, so an append
 * writes about what was appended, and reading costs a twentieth more at most.
 */
const MIN_LAG_BYTES = 256 << 10;
const LAG_SHARE = 1 / 20;

/**
 * Brings one session of the index up to date with its files. Returns what the library shows of it. Throws what
 * `scanSession` throws, and what SQLite does where the index is damaged.
 * @param hot keeps tables of sessions that grow
 * @param sharedBytes how far the caller has the share already; null for a caller without one
 */
export function indexSession(
  store: IndexStore | null,
  request: ScanRequest,
  hot?: ActiveSessionCache,
  sharedBytes: number | null = null,
): IndexedSession {
  // Taken out: a scan that fails leaves its table half continued.
  const known = hot?.take(request, store !== null) ?? (store && loadKnown(store, request));
  const read = readNewLines(request, known, store !== null);
  const { scan, messages } = read;
  const { known: knownGraph, entry } = concludeSession(read, request.logs, known);
  const { graph } = knownGraph;
  const isKnown = known !== null && scan.continued;
  const goesOn = isKnown && sharedBytes === readBytesOf(known.entry.files);
  const added = isKnown ? shareOf(scan.table, graph, messages) : null;
  const share = goesOn && added ? added : shareOf(scan.table, graph);
  const stored = isKnown ? known.storedFiles : [];
  if (entry === known?.entry) {
    hot?.keep({ ...known, table: scan.table, files: scan.files, graph: knownGraph });
    return { entry, share, goesOn, isStored: store !== null };
  }
  const row = isKnown ? known.row : null;
  const skeleton =
    isKnown && !lags(stored, scan.files) ? null : encodeSkeleton(placeFiles(scan.table, null), scan.files);
  const toSave = row !== null && added ? added : share;
  const saved = store?.save(row, { entry, skeleton, share: toSave, ...chunksOf(store, row, read) }) ?? null;
  // Another file has its inode: it is gone, unless it is kept.
  const before = known?.entry.files[0]?.path ?? "";
  if (!isKnown && known?.row && store && before !== entry.files[0]?.path && !isThere(before))
    store.forget(known.row);
  const storedFiles = skeleton ? scan.files : stored;
  // Without an index every session would be read anew for each of its lines.
  if (isKnown || !store)
    hot?.keep({ row: saved, entry, table: scan.table, files: scan.files, graph: knownGraph, storedFiles });
  return { entry, share, goesOn, isStored: saved !== null };
}

/** New texts go on in the session's last chunk while it has room: a row for every line would be mostly signature. */
function chunksOf(
  store: IndexStore,
  row: number | null,
  { texts }: SessionLines,
): Pick<EncodedSession, "chunks" | "replaces"> {
  const open = row === null || texts.length === 0 ? null : store.openChunk(row);
  return { chunks: makeChunks(open ? [...open.texts, ...texts] : texts), replaces: open?.id ?? null };
}

function lags(stored: readonly StoredFile[], files: readonly StoredFile[]): boolean {
  const bytes = readBytesOf(files);
  return bytes - readBytesOf(stored) > Math.max(MIN_LAG_BYTES, bytes * LAG_SHARE);
}

function loadKnown(store: IndexStore, { files: [main] }: ScanRequest): CachedSession | null {
  const found = main ? statOf(main.path) : null;
  const stored = main && found ? store.load(main.path, `${found.dev}:${found.ino}`) : null;
  return stored && toKnown(stored);
}

function toKnown({ row, entry, table, files }: StoredSession): CachedSession {
  return { row, entry, table: new SessionTable(table), files, graph: null, storedFiles: files };
}

/**
 * The lines of a session that the index does not know, as another thread has read them: few pieces of memory,
 * which move between threads at no cost. Without `chunks` its texts were not asked for, so it cannot be saved.
 */
export type NewSession = Pick<SessionLines, "titles" | "slugs" | "reports" | "git"> & {
  unread: number[];
  skeleton: Uint8Array[];
  chunks: TextChunk[] | null;
};

/**
 * Reads a session that the index does not know. Throws what `scanSession` throws.
 * @param onProgress told how many bytes were read so far, after every chunk
 */
export function readNewSession(
  request: ScanRequest,
  wantsTexts: boolean,
  onProgress?: (bytesDone: number) => void,
): NewSession {
  const { scan, texts, titles, slugs, reports, git } = readNewLines(request, null, wantsTexts, onProgress);
  const skeleton = [...encodeSkeleton(placeFiles(scan.table, null), scan.files)];
  return {
    unread: scan.unread,
    skeleton,
    titles,
    slugs,
    reports,
    git,
    chunks: wantsTexts ? makeChunks(texts) : null,
  };
}

/**
 * Makes the entry of a session whose lines were read elsewhere, and saves it. Throws what SQLite does where the
 * index is damaged.
 */
export function takeNewSession(
  store: IndexStore | null,
  logs: readonly SessionLog[],
  { unread, skeleton, titles, slugs, reports, git, chunks }: NewSession,
  hot: ActiveSessionCache,
): IndexedSession {
  const decoded = decodeSkeleton(skeleton);
  if (!decoded) throw new Error("The table of a session did not come whole from its thread");
  const { files } = decoded;
  const table = new SessionTable(decoded.table);
  const scan = { table, unread, files, continued: false, bytesRead: 0 };
  const { known, entry } = concludeSession({ scan, titles, slugs, reports, git }, logs, null);
  const share = shareOf(table, known.graph);
  const row = chunks && store ? store.save(null, { entry, skeleton, share, chunks, replaces: null }) : null;
  // Without an index every session would be read anew for each of its lines.
  if (!store) hot.keep({ row, entry, table, files, graph: known, storedFiles: files });
  return { entry, share, goesOn: false, isStored: row !== null };
}
