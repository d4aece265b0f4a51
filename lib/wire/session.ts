import type { ExportFormat } from "./export-formats.mjs";
import type { FileStepPlace } from "./files";
import type { AgentId, BranchId, RecordId, SessionId } from "./ids";
import type { Project, SessionResume, SessionSummary, Totals, Usage } from "./library";
import type { AgentState, AgentStep, CutText, Row, RowsResponse, TurnCounts } from "./rows";
import type { Cost, RequestUsage } from "./usage";

/** Agents included in all but `turns`, which are the main thread's over all its branches. */
export type SessionCounts = {
  records: number;
  unreadable: number;
  unknown: number;
  turns: number;
  messages: number;
  toolCalls: number;
  toolCallsByName: Record<string, number>;
  toolErrors: number;
  /** Of `toolErrors`, the calls that a person or a rule refused. */
  toolsDenied: number;
  thinking: number;
  images: number;
  compactions: number;
  branches: number;
  agents: number;
  files: number;
};

/** What lies between two compactions of the active branch. */
export type Phase = {
  fromRecordId: RecordId;
  startedAtMs: number | null;
  turns: number;
  preTokens: number | null;
  postTokens: number | null;
};

/** A branch of a session's main thread: the way from its root to one of its leaves. */
export type BranchEntry = {
  id: BranchId;
  /** From 1, in the order in which the branches were begun. */
  number: number;
  /** `null` where the leaf's line carries no uuid. */
  leafUuid: string | null;
  /** The last record shared with the active branch; `null` for the active one and for separate roots. */
  forkedAtRecordId: RecordId | null;
  /** First words of the first prompt that is this branch's own. */
  prompt: string | null;
  turns: number;
  lastActiveAtMs: number | null;
  active: boolean;
};

/** An agent of a session, at any depth. */
export type AgentEntry = {
  agentId: AgentId;
  parentToolUseId: string | null;
  /** The record of the call that started it. */
  parentRecordId: RecordId | null;
  /** The agent that made that call; `null` for one of the main thread. */
  parentAgentId: AgentId | null;
  type: string | null;
  description: string | null;
  /** 1 for an agent of the main thread. */
  depth: number;
  state: AgentState;
  toolCalls: number;
  tokens: number;
  /** Of its own requests, without those of agents that it started. */
  cost: Cost;
  startedAtMs: number | null;
  /** When it wrote its last line. */
  endedAtMs: number | null;
  /** The time it worked: from its prompt to its last line, without the pause before it was resumed. */
  durationMs: number | null;
  /** A colour and shape, 1–8, the same in every view. */
  lane: number;
  /** Of one whose end is not known: the last thing it did. */
  step: AgentStep | null;
};

/** `added` and `removed` are lines of recorded patches; for a created file the lines of its content. */
export type FileEntry = {
  path: string;
  added: number;
  removed: number;
  calls: number;
  recordIds: RecordId[];
  /** Of each record in `recordIds`: the place of the call in it, its turn on the active branch (0: none), and its lines. */
  blocks: number[];
  turns: number[];
  addedBy: number[];
  removedBy: number[];
};

/** One turn. `row` is where it stands in the rows of the same request's branch and detail. */
export type OutlineEntry = TurnCounts & {
  turn: number;
  recordId: RecordId;
  row: number;
  /** At most 120 characters. */
  prompt: string;
  atMs: number | null;
  /** The agents that its calls started, in the order of the calls. */
  agentIds: AgentId[];
  /** As its row has them; absent without any. */
  marks?: Row["marks"];
  /** Tells that a compaction stands between the turn before and this one. */
  compactedBefore: { preTokens: number | null; postTokens: number | null } | null;
};

/** `GET /api/sessions/{id}`: what the library lists of a session, and what only its own page tells. */
export type SessionDetail = SessionSummary &
  SessionResume & {
    project: Project;
    counts: SessionCounts;
    usage: Usage;
    /** What the main thread's own requests cost, without its agents'. */
    ownCost: Cost;
    /** The day up to which price changes are known. */
    pricesAsOf: string;
    /** What of its turns, messages and tokens other sessions hold as well; null while not every session has been read. */
    shared: Totals | null;
    /** Service tiers with the messages that each answered. */
    serviceTiers: Record<string, number>;
    /** Client versions with their records. */
    versions: Record<string, number>;
    phases: Phase[];
    /** The active one first, and at most 20 more. */
    branches: BranchEntry[];
    /** Grows with every change of the files; rows of one revision fit together. */
    revision: number;
    /** Brings the files of a session that is only kept back to where the client reads them; `null` for any other. */
    restoreCommand: string | null;
    /** Main log first. Paths relative to the project's folder. */
    logs: { path: string; bytes: number; records: number }[];
  };

/** A file that is a session's own. `path`: in the client's configuration folder, with `/`. */
export type OriginalFile = { path: string; bytes: number };
/** `GET …/originals`: the files of a session, all that the client keeps of it. */
export type OriginalsResponse = { files: OriginalFile[] };

/** Bytes of an export; where it is not `isWhole`, there are more. */
export type ExportSize = { bytes: number; isWhole: boolean };

/** `GET …/export-sizes`: without formats that cannot hold what is asked for. */
export type ExportSizesResponse = { sizes: Partial<Record<ExportFormat, ExportSize>> };

/**
 * 202 with this body while a session is being scanned for the first time. `beginning`: the rows that it is sure to
 * begin with, for `…/rows?beginning=1`; how many follow is not known, and `total` is their own number.
 */
export type ScanProgress = {
  scanning: { bytesDone: number; bytesTotal: number };
  beginning?: RowsResponse;
};

export type BranchesResponse = { branches: BranchEntry[]; nextCursor: string | null };
export type AgentsResponse = { agents: AgentEntry[]; nextCursor: string | null };
export type FilesResponse = { files: FileEntry[]; nextCursor: string | null };
/** `GET …/outline`: turns by number from 1, of which `total` are on the branch; `from`: the place of the first one here, from 0. */
export type OutlineResponse = { revision: number; total: number; from: number; turns: OutlineEntry[] };

/** An error outside the thread that was asked about. `branch`: `null` on the active one and in agents. */
export type ErrorPlace = {
  recordId: RecordId;
  agentId: AgentId | null;
  branch: BranchId | null;
  /** The tool that failed; `null` for an answer that the API did not give and for a line that cannot be read. */
  tool: string | null;
  atMs: number | null;
};

/** `…/errors?branch=&agent=&detail=&fold=&runs=`: what the keys for the next error go to, and what they cannot. */
export type ErrorsResponse = {
  revision: number;
  /** Rows of this view, in order. */
  rows: number[];
  /** How many of them show a refused call. */
  denied: number;
  /** How many more the thread has that this view hides. */
  hidden: number;
  /** How many the session has outside the thread; `places` are the first of them. */
  elsewhere: number;
  places: ErrorPlace[];
  /** Rows of this view that change a file, and those that offer other branches. */
  edits: number[];
  forks: number[];
};

/** How another session's history belongs to this one's: `shares-history` where the log does not tell which is the copy. */
export type Relation = "forked-from" | "fork" | "shares-history" | "continues" | "continued-in";

/** A session that shares lines with this one, and how. */
export type RelatedSession = {
  id: SessionId;
  title: string;
  relation: Relation;
  lastActiveAtMs: number | null;
  /** Records that both hold, by uuid or (1.0.60) by the ids of messages and calls, and the last of them in this session; 0 and `null` for a continuation. */
  sharedRecords: number;
  lastSharedRecordId: RecordId | null;
  /** What of this session's totals the other holds as well; null while not every session has been read. */
  shared: Totals | null;
};

/** `GET …/related?limit=&cursor=`: those that this one was copied from, or goes on from or in, then the others, newest first. */
export type RelatedResponse = { related: RelatedSession[]; nextCursor: string | null };

/** What else the client keeps of a session, beside its logs. */
export type ExtraKind = "plan" | "todos" | "task" | "memory" | "history" | "file-history";

/** `id`: names it in `…/extras/{id}`. `bytes`: of its text. `atMs`: last changed. */
export type SessionExtra = { id: string; kind: ExtraKind; name: string; bytes: number; atMs: number | null };

/** `GET /api/sessions/{id}/extras` */
export type ExtrasResponse = { extras: SessionExtra[] };

/** `GET /api/sessions/{id}/extras/{extraId}`: the text, cut at 1 MiB. */
export type ExtraText = SessionExtra & { text: CutText };

/** What a command did, by its first words. */
export type CommandClass = "test" | "build" | "git" | "other";

/** `…/turns/{n}/brief`: a turn in a dozen lines. */
export type TurnBrief = {
  turn: number;
  recordId: RecordId;
  /** First words of the prompt, at most 240 characters. */
  intent: string;
  /** The folder that the prompt was typed in, to which the paths of `files` are shortened; `null` where the log has none. */
  cwd: string | null;
  /** `errors`: as in counts, the `denied` ones included. */
  tools: { name: string; calls: number; errors: number; denied: number }[];
  files: { path: string; added: number; removed: number; calls: number }[];
  commands: {
    command: string;
    class: CommandClass;
    /** `failed` counts both, as `errors` of `tools` does. */
    failed: boolean;
    denied?: true;
    recordId: RecordId;
    durationMs: number | null;
  }[];
  /** Commands that are not in `commands` because there are too many. */
  moreCommands: number;
  agents: {
    agentId: AgentId;
    description: string | null;
    type: string | null;
    lane: number;
    toolCalls: number;
    tokens: number;
    cost: Cost;
    state: AgentState;
    durationMs: number | null;
  }[];
  durationMs: number | null;
  /** Of the turn's own messages; agents have theirs in `agents`. */
  tokens: number;
  cost: Cost;
  /** As its row has them. */
  usage: RequestUsage | null;
  agentsUsage: RequestUsage | null;
};

/** `ScanProgress` where the first scan of the session takes longer than a request should. */
export type OrScanning<T> = T | ScanProgress;

/** A commit of a session, from what its own commands printed. */
export type SessionCommit = FileStepPlace & {
  /** As long as it was printed. */
  hash: string;
  subject: string | null;
  /** `made` by a command of the session, `pushed` alone, or shown with a `trailer` that names the session. */
  how: "made" | "pushed" | "trailer";
  /** The branch it was made on. */
  ref: string | null;
  /** The branch it was pushed to, later on. */
  pushedTo: string | null;
  atMs: number | null;
};

/** A pull or merge request that a session opened, or that the client linked to it. */
export type SessionPullRequest = FileStepPlace & {
  number: number;
  url: string | null;
  repository: string | null;
  atMs: number | null;
};

/** `…/commits`, in order. */
export type CommitsResponse = { commits: SessionCommit[]; pullRequests: SessionPullRequest[] };
