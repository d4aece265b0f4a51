import { basename } from "node:path";
import type { RawLine } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { DoctorReport } from "@/lib/wire/doctor";
import type { SessionId } from "@/lib/wire/ids";
import { checkBytes } from "./check-bytes";
import { checkRecord } from "./check-record";
import { Examination, type ExamineFile } from "./examination";
import { OutsideReason } from "./outside-reason";
import { readLog } from "./read-log";

/** The files of one session, main log first, or (`null`) one file that belongs to none. */
export type ExamineRequest = { sessionId: SessionId | null; root: string; files: ExamineFile[] };

/** What one session's files hold. Reports add up (`ReportSum`). */
export type FilesReport = Omit<DoctorReport, "session" | "sessions" | "filesOutside" | "unknown" | "gone">;

/** Every check looks at names, ids and beginnings: longer strings are cut before parsing. */
const KEEP_BYTES = 512;

type Counts = Pick<FilesReport, "bytes" | "lines" | "records" | "unreadable" | "salvaged" | "unread">;

/**
 * Reads every line of the files and reports what they are made of and which rules they break. Synchronous,
 * for a thread of its own. A file that cannot be read is named, never thrown.
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
  examination.judgeLinks();
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

/** A last line without a newline is held until it is finished; one that is whole but for that counts already. */
function takeRest(examination: Examination, rest: RawLine, take: (line: RawLine) => void): void {
  const note = `${rest.length} bytes, still being written or cut off`;
  if (!beginsWithRecord(rest)) return examination.findBytes("unfinished-line", rest, note);
  examination.find("unfinished-line", rest, note);
  take(rest);
}
