import type { RecordId, SessionId } from "./ids";
import type { Warning } from "./library";

/** Where something was found. `sessionId` is `null` in a file that belongs to no session. */
export type DoctorPlace = {
  sessionId: SessionId | null;
  /** Relative to the project's folder, with `/`. */
  file: string;
  /** From 1. */
  line: number;
  /** Bytes of the line, or of the part of it that is meant. */
  offset: number;
  length: number;
  /** `null` also for bytes at a file's end that are no record yet. */
  recordId: RecordId | null;
  /** What is so at this place: a reason, a uuid, a field. */
  note: string;
};

/** `rule`: a stable name. `error`: bytes that are no record; `warning`: a rule is broken; `info`: worth knowing. */
export type DoctorFinding = {
  rule: string;
  level: "error" | "warning" | "info";
  title: string;
  count: number;
  /** Files in which it was found. */
  files: number;
  /** The first ones. */
  places: DoctorPlace[];
};

/** How often one name occurs, in all and by client version (`""`: lines that name none). */
export type DoctorCount = { name: string; known: boolean; total: number; byVersion: Record<string, number> };

/** Why a log that was read is no session: it is empty, has no record or no message, is a journal or a warm-up. */
export type OutsideCode = "empty" | "blank" | "utf-16" | "no-records" | "no-messages" | "journal" | "warm-up";

/** A log that is no session, and why. */
export type DoctorOutside = {
  file: string;
  code: OutsideCode;
  message: string;
  bytes: number;
  lines: number;
  records: number;
};

/**
 * A claude folder's history of prompts (`history.jsonl`). `commands`: of the client's own, or for the shell. `unknown`:
 * JSON of another shape. `torn`: it ends with a part of a line. `problem`: why it cannot be read.
 */
export type DoctorHistory = {
  path: string;
  bytes: number;
  lines: number;
  prompts: number;
  commands: number;
  unknown: number;
  unreadable: number;
  torn: boolean;
  problem: { code: string; message: string; hint: string } | null;
};

/** `GET /api/doctor`. `warnings`: what is wrong with Backscroll's own files; none where a session was asked for. */
export type DoctorAnswer = DoctorReport & {
  warnings: Warning[];
  /** The client's histories of prompts; none where a session was asked for. */
  histories: DoctorHistory[];
};

/** What was read, of all sessions or of one. */
export type DoctorReport = {
  /** The session that was asked for, else `null`. */
  session: { id: SessionId; title: string } | null;
  sessions: number;
  files: number;
  /** Of all files, and of those that belong to no session. */
  bytes: number;
  filesOutside: number;
  /** Lines, and what they gave: records and unreadable stretches. A damaged line can give several. */
  lines: number;
  records: number;
  unreadable: number;
  salvaged: number;
  unknown: number;
  /** Of the sessions that were read, those of which no log is on disk any more, and their files. */
  kept: { sessions: number; files: number; bytes: number };
  /** Files and folders that were not read, with what to do; `bytes` is `null` where there are none to count. */
  unread: { file: string; code: string; message: string; hint: string; bytes: number | null }[];
  /** Files that were read and belong to no session, with the reason: `filesOutside` of them. */
  outside: DoctorOutside[];
  /** Sessions of which only agents' logs are left, and how many files those are. */
  gone: { sessionId: SessionId; file: string; files: number; bytes: number }[];
  /** Newest last; `""` first. */
  versions: { version: string; records: number; files: number }[];
  types: DoctorCount[];
  stopReasons: DoctorCount[];
  blocks: DoctorCount[];
  tools: DoctorCount[];
  findings: DoctorFinding[];
};
