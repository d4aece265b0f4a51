import { addRecord } from "@/lib/log/adding/add-record";
import { KEPT_BYTES } from "@/lib/log/adding/text-prefix";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { SessionTable } from "@/lib/log/table/session-table";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { continuedMarks, endsOpen, hashesOf, isContinued, type Marks, ReadMarks } from "./file-identity";
import { placeFiles } from "./place-files";
import type { StoredFile } from "./stored-session";

/** A log to scan, by its absolute path. `key` stands for it in record ids. `gone`: see `MainLog`. */
export type ScanFile = { path: string; key: string; agentId: string | null; gone?: true };

/**
 * Where an earlier scan of the session ended. Its files are numbered as in that scan, and identified by their keys.
 * `seen`: what else was read of them, further on; they must still begin with that, too.
 */
export type ScanStart = {
  table: SessionTable;
  files: readonly StoredFile[];
  seen?: readonly StoredFile[];
};

/** What a reading of a session's files has found, together with what was known before where it went on from there. */
export type Scan = {
  table: SessionTable;
  /** Numbers of agents' files that could not be read. */
  unread: number[];
  files: StoredFile[];
  /** False when the session was read from its beginning. */
  continued: boolean;
  bytesRead: number;
};

type Options = {
  /** Bytes read so far, after every chunk. */
  onProgress?: (bytesDone: number) => void;
  /**
   * Each record that is read, a way to its whole line, since the record itself may be shortened, and the
   * number of its message (-1 for none).
   */
  onRecord?: (record: SessionRecord, file: ScanFile, whole: () => SessionRecord, message: number) => void;
  from?: ScanStart | null;
  /** The files differ from `from`: everything is read again. */
  onRestart?: () => void;
  /** New records of a file may follow those of the files after it: the table stays the same one. */
  asTheyCome?: boolean;
};

const CHUNK_BYTES = 1 << 20;

const PROGRESS_EVERY_BYTES = 8 << 20;

/** Tells how far a scan is, in bytes, but not of every chunk: from a thread each is a message. */
export function inSteps(tell: (bytesDone: number) => void): (bytesDone: number) => void {
  let told = 0;
  return (bytesDone) => {
    if (bytesDone - told < PROGRESS_EVERY_BYTES) return;
    told = bytesDone;
    tell(bytesDone);
  };
}

/** One for the thread: scanning is synchronous, and a megabyte a file would be most of its cost. */
const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Reads the lines of a session's files in order into a table: all of them, or behind an earlier scan
 * the new ones, if every file of then is still there and begins as it did. It is synchronous, for a
 * thread of its own: thousands of small files cost more in promises than in reading. An agent's file
 * that has gone or cannot be read contributes nothing and is named in `unread`; without the main log
 * there is no session, so its ViewerError is thrown, but for one that was gone already when it was listed. A half line at the end waits to be finished; a record that only lacks
 * its newline is one already.
 */
export function scanSession(root: string, files: readonly ScanFile[], options: Options = {}): Scan {
  const { from = null, asTheyCome = false } = options;
  const afresh = () => {
    options.onRestart?.();
    return scanSession(root, files, { ...options, from: null });
  };
  const begun = new Map(from?.files.map((file) => [file.key, file]));
  const seen = new Map(from?.seen?.map((file) => [file.key, file]));
  const placeOf = new Map(files.map(({ key }, place) => [key, place]));
  const places = from?.files.map(({ key }) => placeOf.get(key) ?? -1) ?? [];
  const isGone = from?.seen?.some(({ key }) => !placeOf.has(key)) ?? false;
  if (places.includes(-1) || isGone) return afresh();
  const stays = asTheyCome && places.every((place, file) => place === file);
  const table = from ? (stays ? from.table : placeFiles(from.table, places)) : new SessionTable();
  const scan: Scan = { table, unread: [], files: [], continued: from !== null, bytesRead: 0 };
  for (const [number, file] of files.entries()) {
    let opened: OpenFile;
    try {
      opened = openConfinedSync(root, file.path);
    } catch (error) {
      if (file.gone && isViewerError(error) && error.code === "file-gone") {
        if ((begun.get(file.key)?.bytes ?? 0) > 0) return afresh();
        scan.files.push(goneFile(file));
        continue;
      }
      if (number === 0 || !isViewerError(error)) throw error;
      if (begun.has(file.key) || seen.has(file.key)) return afresh();
      scan.unread.push(number);
      continue;
    }
    try {
      const start = begun.get(file.key);
      const further = seen.get(file.key);
      const marks = start ? continuedMarks(start, opened) : undefined;
      if (marks === null || (further && !isContinued(further, opened))) return afresh();
      scan.files.push(scanFile(scan, { number, file, opened, start, before: marks }, options));
    } finally {
      opened.close();
    }
  }
  if (!stays && scan.continued && scan.bytesRead > 0) scan.table = placeFiles(table, null);
  return scan;
}

/** A missing main log contains nothing, but its path identifies the session. */
function goneFile({ path, key, agentId }: ScanFile): StoredFile {
  return { path, key, agentId, dev: 0, ino: 0, size: 0, bytes: 0, nextLine: 1, head: "", tail: "" };
}

/** A file to be read, from where an earlier scan ended. */
type BegunFile = {
  number: number;
  file: ScanFile;
  opened: OpenFile;
  /** What is known of it, and its marks there; undefined for one that is read from its beginning. */
  start: StoredFile | undefined;
  before: Marks | undefined;
};

function scanFile(
  scan: Scan,
  { number, file, opened, start, before }: BegunFile,
  options: Options,
): StoredFile {
  const { dev, ino } = opened.stat();
  const splitter = new LineSplitter(start?.bytes ?? 0, start?.nextLine ?? 1);
  const marks = new ReadMarks(splitter.consumed, before);
  const openEnd = before && endsOpen(before) ? splitter.consumed : -1;
  const take = (line: RawLine) => {
    if (line.offset !== openEnd) addLine(scan.table, number, file, line, options);
  };
  let size = splitter.consumed;
  for (;;) {
    const read = opened.read(buffer, 0, CHUNK_BYTES, size);
    if (read === 0) break;
    const chunk = buffer.subarray(0, read);
    splitter.push(chunk, take);
    marks.take(chunk, splitter.consumed);
    size += read;
    scan.bytesRead += read;
    options.onProgress?.(scan.bytesRead);
  }
  const { consumed, nextLine } = splitter;
  const rest = splitter.rest();
  const last = rest && beginsWithRecord(rest) ? rest : null;
  if (last) take(last);
  const bytes = consumed + (last?.length ?? 0);
  // The size that was read to, not the file's: what was written since is not indexed.
  const { path, key, agentId } = file;
  return { path, key, agentId, dev, ino, size, ...hashesOf(marks.upTo(bytes)), bytes, nextLine };
}

function addLine(
  table: SessionTable,
  number: number,
  file: ScanFile,
  line: RawLine,
  { onRecord }: Options,
): void {
  let read: SessionRecord | null = null;
  const whole = () => {
    read ??= parseRecord(line);
    return read;
  };
  for (const record of parseLine(line, { keepBytes: KEPT_BYTES })) {
    const added = addRecord(table, number, record, whole);
    const isElided = record.kind !== "unreadable" && record.elided;
    onRecord?.(record, file, isElided ? whole : () => record, table.records.message.at(added));
  }
}
