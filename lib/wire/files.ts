import type { AgentId, BranchId, RecordId, SessionId } from "./ids";

/*
 * A file as a session's logs have it: what it was after each step, and who wrote its lines. It is rebuilt from what
 * was recorded; what was not is said.
 */

/**
 * What a step did to a file: `create`, `write` and `edit` are calls; `read` is the first sight of it, or of more of it;
 * `outside`: something wrote it that the logs don't tell of, as the step after it shows (`deleted`: it was gone).
 */
export type FileStepKind = "read" | "create" | "write" | "edit" | "outside" | "deleted";

/** Where a step stands in the session, for who goes to its row. */
export type FileStepPlace = {
  /** Of a call the record that asks for it, else the snapshot or attachment. */
  recordId: RecordId;
  block: number;
  /** `null` for what is no call. */
  tool: string | null;
  agentId: AgentId | null;
  /** The branch that it is on; `null` on the active one and in agents. */
  branch: BranchId | null;
  /** Its turn on the active branch; 0 on another one. */
  turn: number;
};

/**
 * A version of a file. `id` names it in addresses: its record and block, and `:before` where it is what the file was
 * just before that step.
 */
export type FileVersion = FileStepPlace & {
  id: string;
  kind: FileStepKind;
  /** Lines; `null` where the log does not hold what the file was before. */
  added: number | null;
  removed: number | null;
  atMs: number | null;
  /** Every line of it is known. */
  complete: boolean;
  /** An earlier version that has the same content. */
  sameAs: string | null;
  /** A later step that shows the file as it is here: a read, a backup, or what another change began with. */
  checkedBy: FileStepPlace | null;
};

/** Lines that no log holds, from 1, both ends included; `toLine` is `null` where it is not known how many there are. */
export type FileGap = { fromLine: number; toLine: number | null };

/** What a version is known from. */
export type FileSource = "write" | "original" | "edit" | "read" | "backup" | "nothing";

/** `…/file?path=&at=`: the file as it was after a step, or when a record was written; with `blame=1` also who wrote its lines, with `against=` also as it was at another version. */
export type FileAt = {
  path: string;
  /** The record asked about, or that of the last version. */
  atRecordId: RecordId | null;
  /** The version that it is; `null` before the first one. */
  version: string | null;
  /** Its text with `\n` between lines, unknown ones empty; `null` where none is known, or where there was no such file. */
  content: string | null;
  /** `null` where the logs don't say. */
  exists: boolean | null;
  complete: boolean;
  gaps: FileGap[];
  source: FileSource;
  /** What `…/blame` answers. Left out unless it was asked for. */
  blame?: BlameRange[];
  /** The other version. Left out unless it was asked for. */
  against?: FileAt;
};

/** Neighbouring lines of one origin, from 1, both ends included. Lines that are not known are in none. */
export type BlameRange = FileStepPlace & {
  fromLine: number;
  toLine: number;
  /** `wrote`: the step wrote them; `outside`: it showed that something else had; `seen`: it showed them first, and nobody knows who wrote them. */
  how: "wrote" | "outside" | "seen";
  /** The version of that step. */
  version: string;
  /** The prompt of the step's turn, its first words; `null` on another branch. */
  prompt: string | null;
  atMs: number | null;
};

/** A file that a session's calls read or changed. `changes`: how many changed it, of which `byAgents` were agents' own. */
export type TouchedFile = { path: string; reads: number; changes: number; byAgents: number };

/** `…/touched-files`: every file that calls read or changed, those of agents too, by path. */
export type TouchedFilesResponse = TouchedFile[];
/** `…/file-versions?path=`, in the order in which they came to be. */
export type FileVersionsResponse = FileVersion[];
/** `…/blame?path=&at=` */
export type BlameResponse = BlameRange[];

/** A session that changed files, by the paths that its calls give. */
export type FileSession = {
  sessionId: SessionId;
  title: string | null;
  projectPath: string;
  lastActiveAtMs: number | null;
  paths: string[];
};

/** A session that read a file without changing it. `recordId`: a call that did. */
export type FileReader = Omit<FileSession, "paths"> & { recordId: RecordId };

/** `GET /api/files?path=`: sessions that changed files at this path, or at one that ends with it, the newest first. */
export type FileSessionsResponse = {
  sessions: FileSession[];
  /** With the first of them: those that only read it, the newest first; at most of the first 600 calls that are found. */
  readers: FileReader[];
  nextCursor: string | null;
  /** Every session has been read; until then some may be missing. */
  complete: boolean;
};

/** A file that sessions changed. Project and time are those of the last one that did. */
export type KnownFile = {
  path: string;
  projectPath: string;
  sessions: number;
  lastActiveAtMs: number | null;
};

/** `GET /api/files/known?q=&limit=`: files whose path contains `q`, those of the latest session first. */
export type KnownFilesResponse = {
  files: KnownFile[];
  /** How many there are, listed or not. */
  total: number;
  /** Every session has been read; until then some may be missing. */
  complete: boolean;
};

/** A change whose text has a line in it. */
export type LineChange = {
  sessionId: SessionId;
  title: string | null;
  recordId: RecordId;
  block: number;
  agentId: AgentId | null;
  tool: string;
  path: string;
  /** `wrote`: it brought the line; `kept`: the line stands beside what it changed; `removed`: it took the line away. */
  change: "wrote" | "kept" | "removed";
  turn: number;
  prompt: string | null;
  atMs: number | null;
};

/** `GET /api/why?text=&path=`: why a line is in a file. Indentation does not count. */
export type WhyResponse = {
  text: string;
  path: string | null;
  /** The last change that brought the line, to a file of that path if there is one; `null` where no session did. */
  origin: LineChange | null;
  /** Changes of the same file after that which have the line in them, in order. */
  later: LineChange[];
  /** All other changes that have it, the newest first. */
  others: LineChange[];
  /** Everything has been searched. */
  complete: boolean;
};
