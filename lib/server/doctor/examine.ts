import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { formatPlural } from "@/lib/format/format";
import {
  BACKSLASH,
  CLOSE,
  CLOSE_LIST,
  OPEN,
  OPEN_LIST,
  QUOTE,
  UNICODE_ESCAPE,
} from "@/lib/log/records/json-bytes";
import type { RawLine } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { readLog } from "@/lib/server/disk/read-log";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { DoctorReport } from "@/lib/wire/doctor";
import type { SessionId } from "@/lib/wire/ids";
import { checkRecord } from "./check-record";
import { Examination, type ExamineFile } from "./examination";
import { OutsideReason } from "./outside-reason";

/** The files of one session, main log first, or (`null`) one file that belongs to no session. */
export type ExamineRequest = { sessionId: SessionId | null; root: string; files: ExamineFile[] };

/** The report on one session's files. Reports are combined by `ReportSum`. */
export type FilesReport = Omit<
  DoctorReport,
  "session" | "sessions" | "filesOutside" | "unknown" | "kept" | "gone"
>;

/** Every check uses only names, ids and beginnings: longer strings are cut before parsing. */
const KEEP_BYTES = 512;

type Counts = Pick<FilesReport, "bytes" | "lines" | "records" | "unreadable" | "salvaged" | "unread">;

/**
 * Reads every line of the files and reports their contents and the rules they violate. Synchronous,
 * for a worker thread. A file that cannot be read is listed, never thrown.
 * @param onProgress bytes read since the last call
 */
export function examine(
  { sessionId, root, files }: ExamineRequest,
  onProgress: (bytes: number) => void,
): FilesReport {
  const examination = new Examination(sessionId, files);
  const counts: Counts = { bytes: 0, lines: 0, records: 0, unreadable: 0, salvaged: 0, unread: [] };
  const outside: FilesReport["outside"] = [];
  for (const [file, { path, name, isAgent }] of files.entries()) {
    const isJournal = sessionId === null && basename(name) === "journal.jsonl";
    const reason = new OutsideReason(name);
    const take = (line: RawLine) => {
      reason.takeLine(line);
      reason.takeRecords(takeLine(examination, counts, line, { file, isAgent, isJournal }));
    };
    examination.enter(file);
    try {
      const { bytes, rest } = readLog(root, path, take, onProgress);
      counts.bytes += bytes;
      if (rest) {
        reason.takeLine(rest);
        takeRest(examination, rest, take);
      }
      if (sessionId === null) outside.push(reason.conclude(bytes));
    } catch (error) {
      if (!isViewerError(error)) throw error;
      const { code, message, hint } = error;
      counts.unread.push({ file: name, code, message, hint, bytes: null });
    }
  }
  examination.reportLinks();
  const { versions, types, stopReasons, blocks, tools, findings } = examination;
  return {
    files: files.length,
    ...counts,
    versions: [...versions.values()],
    types: types.list(),
    stopReasons: stopReasons.list(),
    blocks: blocks.list(),
    tools: tools.list(),
    findings: findings.list(),
    outside,
  };
}

/** Returns the records of the line. */
function takeLine(
  examination: Examination,
  counts: Counts,
  line: RawLine,
  where: Parameters<typeof checkRecord>[2],
): SessionRecord[] {
  counts.lines += 1;
  checkBytes(examination, line);
  const parts = parseLine(line, { keepBytes: KEEP_BYTES });
  const damaged = parts.length > 1 || parts[0]?.at.length !== line.length;
  for (const record of parts) {
    if (record.kind === "unreadable") {
      counts.unreadable += 1;
      examination.find("unreadable", record.at, record.reason);
      continue;
    }
    counts.records += 1;
    examination.countVersion(checkRecord(examination, record, where));
    if (!damaged) continue;
    counts.salvaged += 1;
    examination.find("salvaged", record.at, `a record of type ${record.type}`);
  }
  return parts;
}

/** A last line without a newline is not counted until it is complete; one that lacks only the newline counts already. */
function takeRest(examination: Examination, rest: RawLine, take: (line: RawLine) => void): void {
  const note = `${formatPlural(rest.length, "byte")}, still being written or cut off`;
  if (!beginsWithRecord(rest)) return examination.findBytes("unfinished-line", rest, note);
  examination.find("unfinished-line", rest, note);
  take(rest);
}

const CR = 0x0d;
const MAX_LEVELS = 256;

/** Checks a line before it is parsed: its encoding, its line end, its depth. */
function checkBytes(examination: Examination, line: RawLine): void {
  const { bytes } = line;
  const hasMark = line.offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (hasMark) examination.find("byte-order-mark", { ...line, length: 3 }, "EF BB BF");
  if (bytes[bytes.length - 1] === CR) examination.find("carriage-return", line, "CR LF");
  if (!isUtf8(bytes))
    examination.find("invalid-utf8", line, "bytes that are no character are shown as U+FFFD");
  const half = loneSurrogate(bytes);
  if (half !== null) examination.find("lone-surrogate", line, half);
  const levels = depthOf(bytes);
  if (levels > MAX_LEVELS) examination.find("deep", line, formatPlural(levels, "level"));
}

/** The first `\udXXX` escape that is a lone surrogate, or `null`. Unescaped ones are invalid UTF-8 and reported as such. */
function loneSurrogate(bytes: Uint8Array): string | null {
  for (let at = bytes.indexOf(BACKSLASH); at !== -1; at = bytes.indexOf(BACKSLASH, at)) {
    const unit = unitAt(bytes, at);
    if (unit === -1) {
      at += 2;
      continue;
    }
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && isLow(unitAt(bytes, at + 6))) at += 12;
    else if (isHigh || isLow(unit)) return `\\u${unit.toString(16)}`;
    else at += 6;
  }
  return null;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The code unit of the `\uXXXX` escape at `at`, -1 if there is none. */
function unitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== UNICODE_ESCAPE) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[i] ?? 0), 16);
    if (Number.isNaN(digit)) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

/** Maximum depth of a line's brackets, outside strings. Only lines with more opening brackets than the limit are scanned. */
function depthOf(bytes: Uint8Array): number {
  if (!opensMany(bytes)) return 0;
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN || byte === OPEN_LIST) most = Math.max(most, ++depth);
    else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
  }
  return most;
}

function opensMany(bytes: Uint8Array): boolean {
  let opened = 0;
  for (const bracket of [OPEN, OPEN_LIST]) {
    for (let at = bytes.indexOf(bracket); at !== -1; at = bytes.indexOf(bracket, at + 1))
      if (++opened > MAX_LEVELS) return true;
  }
  return false;
}
