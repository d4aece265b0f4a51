import type { AgentId, BranchId, RecordId, SessionId } from "./ids";
import type { SessionResume, SessionState, SessionSummary } from "./library";
import type { Presenting } from "./presence";
import type { Detail, Row } from "./rows";
import type { AgentEntry } from "./session";

/**
 * What a session does or waits for right now. `agents`: for agents in the background. `answered`: the model has
 * written a text, and whether its turn is over is not known yet. Of one that is idle: `menu`, its person has a menu
 * open; `shells`, commands run in the background.
 */
export type Doing = {
  kind: "tool" | "thinking" | "permission" | "question" | "agents" | "answered" | "menu" | "shells";
  /** Of a call: the tool and what it is about. */
  name: string | null;
  subject: string | null;
  recordId: RecordId | null;
  sinceMs: number | null;
  /** Of a call: only the log tells of it, so its person may be asked about it. */
  mayAsk?: boolean;
  /** The last lines that a running command has written, where the client logs them. */
  partial: string | null;
};

/** How a session stands, from the client's own registry where there is one, else from its last records and its client's process. */
export type LiveState = {
  sessionId: SessionId;
  state: SessionState;
  sinceMs: number | null;
  /** Of one that is gone: what it was at. */
  doing: Doing | null;
  /** Of the client, where its registry tells, or where it was seen writing the log. */
  pid: number | null;
  /** Its process is gone, or nothing was written for long, in the middle of something. */
  gone: boolean;
  /** Whether its process could be looked at. Where not, the state is what its registry and records suggest. */
  checked: boolean;
  /** Of the session or any agent of it. */
  lastLineAtMs: number | null;
  /** First words of the last thing said. */
  lastText: string | null;
  /** Tokens that the last answer's request held, and what the model can hold. */
  contextTokens: number | null;
  contextLimit: number | null;
};

/**
 * A call that a running session has begun (`isNew`), or that has failed. `text`: the beginning of what it was called with.
 * `agentId`: the agent whose call it is.
 */
export type LiveCall = {
  recordId: RecordId;
  agentId: string | null;
  name: string;
  subject: string;
  text: string;
  failed: boolean;
  isNew: boolean;
};

/** Which rows a stream's reader looks at: as in `…/rows`. */
export type LiveView = {
  branch: BranchId | null;
  agent: AgentId | null;
  detail: Detail;
  fold: string;
  /** Keys of the open ones among the folded runs; `null` where none is folded. */
  runs: string | null;
};

/** One of the threads that a stream carries. */
export type StreamedThread = Pick<LiveView, "branch" | "agent" | "runs">;

/**
 * `GET /api/events?session=&since=&branch=&agent=&detail=&fold=&runs=&agents=&window=`, as `data:` of server-sent events.
 * The id of an event is `epoch:offset`; sent back as `Last-Event-ID` (or `since`) it resumes or brings a
 * `reset`. `agents` names up to 16 agents (`id` or `id@branch`) whose threads are followed on the same stream.
 * `window` names the page, for `PUT /api/presence`. With `news=1` it carries of all sessions how they stand and what they
 * call, and nothing else.
 */
export type LiveEvent =
  /**
   * First, at once. `resumed`: nothing was missed, or all that was follows. `server`: another one than before
   * counts revisions anew. `titles`: of the sessions that `states` are of.
   */
  | { kind: "hello"; resumed: boolean; server: string; states: LiveState[]; titles: Record<string, string> }
  /**
   * The session's rows have changed. The first `stable` rows are the same rows as at revision `since`;
   * `rows` are those that are new or that changed, by index, as far as they fit into 16 KB: with `complete`
   * every row from `stable` on is among them.
   */
  | {
      kind: "rows";
      sessionId: SessionId;
      since: number;
      revision: number;
      total: number;
      stable: number;
      complete: boolean;
      rows: [index: number, row: Row][];
      branch: BranchId | null;
      /** Which of the stream's threads these are rows of, as it was asked for. */
      view: StreamedThread;
    }
  /** Another branch became the active one of a view: the one followed until now is `from`. */
  | { kind: "branch"; sessionId: SessionId; from: BranchId | null; to: BranchId; view: StreamedThread }
  /** What the library shows of a session. `revision`: of its rows, where somebody has it open. */
  | { kind: "session-changed"; sessionId: SessionId; revision: number | null; summary: SessionSummary | null }
  /** Sessions have come or gone. */
  | { kind: "sessions-changed" }
  | { kind: "state"; state: LiveState; title: string }
  | { kind: "calls"; sessionId: SessionId; title: string; calls: LiveCall[] }
  /** What readers put on a session was changed; `null`: on a project. */
  | { kind: "annotations-changed"; sessionId: SessionId | null }
  /** The session that is presented, as far as this stream's reader may know of it: at first, and at most 10 times a second. */
  | { kind: "presence"; presenting: Presenting | null }
  /** The files are no longer those of before: ask for everything anew. */
  | { kind: "reset"; reason: "unknown-epoch" | "files-replaced" | "gone" }
  /** The reader was too slow and the stream ends: ask anew, and connect again. */
  | { kind: "resync" };

/** A question that a session waits to have answered, with what its person may choose. */
export type AskedQuestion = {
  /** A word or two for it. */
  header: string | null;
  question: string;
  options: { label: string; description: string | null }[];
  /** More than one may be chosen. */
  multiple: boolean;
};

/** One running session, as `/now` shows it. */
export type NowTile = {
  summary: SessionSummary;
  project: string;
  live: LiveState;
  turn: { number: number; prompt: string; atMs: number | null } | null;
  /** The last rows of the turn, ending at what is being done. */
  rows: Row[];
  agents: AgentEntry[];
  /** What it asks its person; `null` where it asks nothing. */
  questions: AskedQuestion[] | null;
} & SessionResume;

/** Where a session stands on the board of `/now`: first those that wait for their person, last those that broke off. */
export function boardRank({ state }: Pick<LiveState, "state">): number {
  return state === "waiting" ? 0 : state === "interrupted" ? 2 : 1;
}

/** Whether nothing goes on in a session whose client is open, as that says itself: its person may go on at any time. */
export function isOpenAndIdle({ state, pid }: Pick<LiveState, "state" | "pid">): boolean {
  return state === "idle" && pid !== null;
}

/** `open`: those whose clients are open, and wait for a prompt. `ended`: those that ended within the hour. */
export type NowResponse = {
  tiles: NowTile[];
  open: SessionSummary[];
  ended: SessionSummary[];
};
