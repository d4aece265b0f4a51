import { closeSync, fstatSync, readSync } from "node:fs";
import { basename } from "node:path";
import { LineSplitter, type RawLine } from "@/lib/records/line-splitter";
import { parseLine } from "@/lib/records/parse-record";
import type { SessionRecord } from "@/lib/records/session-record";
import type { DoctorCount, DoctorFinding, DoctorPlace } from "@/lib/wire/doctor";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { openConfinedSync } from "../catalog/confined-file";
import { isViewerError } from "../viewer-error";
import { checkBytes } from "./check-bytes";
import { checkRecord } from "./check-record";
import { Links } from "./links";
import type { Rule } from "./rules";
import { FindingTally, NameTally } from "./tally";

/** The files of one session, main log first, or one file that belongs to none. */
export type ExamineRequest = {
  sessionId: SessionId | null;
  root: string;
  /** `key`: the first half of its record ids. */
  files: { path: string; name: string; key: string; isAgent: boolean }[];
};

/** What one session's files hold. Reports add up (`sumReports`). */
export type FilesReport = {
  files: number;
  bytes: number;
  lines: number;
  records: number;
  unreadable: number;
  salvaged: number;
  unread: { file: string; message: string; hint: string }[];
  versions: { version: string; records: number; files: number }[];
  types: DoctorCount[];
  stopReasons: DoctorCount[];
  blocks: DoctorCount[];
  tools: DoctorCount[];
  findings: DoctorFinding[];
};

/** What checks are given: the tallies of the session, and how to name the place that is being looked at. */
export type Examination = {
  types: NameTally;
  stopReasons: NameTally;
  blocks: NameTally;
  tools: NameTally;
  links: Links;
  find(rule: Rule, at: { offset: number; length: number; line: number }, note: string): void;
};

const CHUNK_BYTES = 1 << 20;
/** Every check looks at names, ids and beginnings: longer strings are cut before parsing. */
const KEEP_BYTES = 512;

const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Reads every line of the files and reports what they are made of and which rules they break. Synchronous,
 * for a thread of its own. A file that cannot be read is named, never thrown.
 * @param onProgress bytes read since the last call
 */
export function examine(
  { sessionId, root, files }: ExamineRequest,
  onProgress: (bytes: number) => void,
): FilesReport {
  const findings = new FindingTally();
  const names = {
    types: new NameTally(),
    stopReasons: new NameTally(),
    blocks: new NameTally(),
    tools: new NameTally(),
  };
  const links = new Links();
  const versions = new Map<string, { version: string; records: number; files: number }>();
  const report = {
    files: files.length,
    bytes: 0,
    lines: 0,
    records: 0,
    unreadable: 0,
    salvaged: 0,
    unread: [] as FilesReport["unread"],
  };

  for (const [file, { path, name, key, isAgent }] of files.entries()) {
    const placeOf = (
      { offset, length, line }: DoctorPlace | SessionRecord["at"],
      note: string,
    ): DoctorPlace => {
      const recordId = `${key}~${offset.toString(36)}` as RecordId;
      return {
        sessionId,
        file: name,
        line,
        offset,
        length,
        recordId: sessionId === null ? null : recordId,
        note,
      };
    };
    const isJournal = sessionId === null && basename(name) === "journal.jsonl";
    const seen = new Set<string>();
    const examination: Examination = {
      ...names,
      links,
      find: (rule, at, note) => findings.add(rule, placeOf(at, note)),
    };
    const take = (line: RawLine) => {
      report.lines += 1;
      checkBytes(examination, line);
      const parts = parseLine(line, { keepBytes: KEEP_BYTES });
      const damaged = parts.length > 1 || parts[0]?.at.length !== line.length;
      for (const record of parts) {
        if (record.kind === "unreadable") {
          report.unreadable += 1;
          examination.find("unreadable", record.at, record.reason);
          continue;
        }
        report.records += 1;
        if (damaged) {
          report.salvaged += 1;
          examination.find("salvaged", record.at, `a record of type ${record.logged.type}`);
        }
        const version = checkRecord(examination, record, { file, isAgent, isJournal });
        const count = versions.get(version) ?? { version, records: 0, files: 0 };
        versions.set(version, count);
        count.records += 1;
        if (!seen.has(version)) count.files += 1;
        seen.add(version);
      }
    };
    try {
      report.bytes += readLines(root, path, take, examination, onProgress);
    } catch (error) {
      if (!isViewerError(error)) throw error;
      report.unread.push({ file: name, message: error.message, hint: error.hint });
    }
  }
  links.judge((rule, { file, ...at }, note) => {
    const { name = "", key = "" } = files[file] ?? {};
    const recordId = sessionId === null ? null : (`${key}~${at.offset.toString(36)}` as RecordId);
    findings.add(rule, { sessionId, file: name, ...at, recordId, note });
  });
  return {
    ...report,
    versions: [...versions.values()],
    types: names.types.list(),
    stopReasons: names.stopReasons.list(),
    blocks: names.blocks.list(),
    tools: names.tools.list(),
    findings: findings.list(),
  };
}

/** Calls `take` for every line, an unfinished last one included, and returns the bytes read. */
function readLines(
  root: string,
  path: string,
  take: (line: RawLine) => void,
  examination: Examination,
  onProgress: (bytes: number) => void,
): number {
  const descriptor = openConfinedSync(root, path);
  try {
    const splitter = new LineSplitter();
    const { size } = fstatSync(descriptor);
    let at = 0;
    // What is appended meanwhile belongs to the next report.
    while (at < size) {
      const bytes = readSync(descriptor, buffer, 0, Math.min(CHUNK_BYTES, size - at), at);
      if (bytes === 0) break;
      splitter.push(buffer.subarray(0, bytes), take);
      at += bytes;
      onProgress(bytes);
    }
    const rest = splitter.rest();
    if (rest) {
      // Held until it is finished; one that is whole but for its newline counts already.
      examination.find("unfinished-line", rest, `${rest.length} bytes, still being written or cut off`);
      if (parseLine(rest)[0]?.kind !== "unreadable") take(rest);
    }
    return at;
  } finally {
    closeSync(descriptor);
  }
}
