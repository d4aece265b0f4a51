import type { AgentId, BranchId, RecordId, SessionId } from "./ids";
import type { RequestUsage } from "./usage";

/** What a thread shows. Each level shows what the one before it does, and more; what is hidden is not sent. */
export const DETAILS = ["prompts", "conversation", "tools", "everything"] as const;

export type Detail = (typeof DETAILS)[number];

/**
 * Where a prompt is from. `queued`: typed while the model worked; `plan`: a plan with which a session begins (2.1.29,
 * 2.1.42); `sdk`: sent by a program; `agent`: what an agent was asked; `unknown`: its line cannot be read.
 */
export type PromptSource = "typed" | "queued" | "plan" | "sdk" | "agent" | "unknown";

/** What a turn's row and its line in the outline count. */
export type TurnCounts = {
  toolCalls: number;
  errors: number;
  /** Of `errors`, the calls that were refused. */
  denied: number;
  added: number;
  removed: number;
  agents: number;
};

/** A human prompt and the facts of all that follows until the next one. */
export type TurnRow = RowBase &
  TurnCounts & {
    kind: "turn";
    prompt: CutText;
    source: PromptSource;
    blobs: BlobRef[];
    folded: boolean;
    /** First words of the last answer, sent when folded. */
    answer: string | null;
    tokens: number;
    /** Of its own requests; null where the log counts no tokens. */
    usage: RequestUsage | null;
    /** Of the agents that it started, and of those that they did; null without any. */
    agentsUsage: RequestUsage | null;
    running: boolean;
    /** Its person took the prompt back before anything came of it, and typed another one. */
    takenBack?: true;
    /**
     * Its numbers are not to be shown: its end has not been read yet, while the session is first read, or not all of it is in
     * an exported part.
     */
    partial?: true;
    /** Plan name, permission mode and the like, where the client recorded them with the prompt. */
    settings: Record<string, string>;
    /** Its permission mode or thinking is not that of the prompt before; true for the first. */
    settingsChanged: boolean;
  };

/** A source that a text names. `url` is as the log has it: of any scheme, or none. */
export type Citation = { url: string | null; title: string };

/** What the model wrote, one block of an answer. */
export type TextRow = RowBase & {
  kind: "text";
  text: CutText;
  /** Absent without any. */
  citations?: Citation[];
  model: string | null;
  messageId: string | null;
  tokens: number | null;
  /** Of its request, at the first text that answers it; null at others and where the log counts no tokens. */
  usage: RequestUsage | null;
};

/** What the model thought. `redacted`: the log holds it encrypted. */
export type ThinkingRow = RowBase & { kind: "thinking"; text: CutText; redacted: boolean };

/** How a call ended, or that it runs. `no-result`: the log has no result of it. */
export type CallStateName = "ok" | "error" | "running" | "denied" | "interrupted" | "timed-out" | "no-result";

/** A call, or (`name` null) what was said. */
export type AgentStep = { name: string | null; subject: string };

/** How an agent ended, or that it runs. `unknown`: the logs do not tell. */
export type AgentState = "running" | "done" | "failed" | "interrupted" | "unknown";

/** How an agent's state is said beside its name: one that is done, or of which nothing is known, has no word. */
export function formatAgentState(state: AgentState): "running" | "failed" | "stopped" | "" {
  if (state === "interrupted") return "stopped";
  return state === "running" || state === "failed" ? state : "";
}

/** An agent as the row of its call shows it. `name`: what it was started for, or its type. */
export type RowAgent = {
  agentId: AgentId;
  name: string | null;
  toolCalls: number;
  tokens: number;
  lane: number;
  state: AgentState;
  startedAtMs: number | null;
  /** The time it worked for this call; while it runs, until its last line. */
  durationMs: number | null;
  /** Of one whose end is not known: the last thing it did. */
  step: AgentStep | null;
};

/** A tool call with its result, in one line. */
export type ToolRow = RowBase & {
  kind: "tool";
  toolUseId: string | null;
  /** Calls of one message were asked for together. Absent where the line names no message. */
  messageId?: string;
  name: string;
  /** The MCP server, for `mcp__server__tool`; `name` is then the tool alone. */
  server: string | null;
  /** What the call is about, in one line: a path, a command, a pattern, a description. */
  subject: string;
  /** A qualifier of the subject, set in grey: a range, a folder. */
  aside: string | null;
  state: CallStateName;
  /** The one thing that matters about the result, in words: `exit 1`, `7 in 4 files`. */
  result: string | null;
  added: number | null;
  removed: number | null;
  /** The agent that the call started, the first where there are several. */
  agent: RowAgent | null;
  /** All agents of a call that started several: a workflow. Absent elsewhere. */
  agents?: RowAgent[];
  /** A microcompaction took its result out of what the model sees. */
  cleared: boolean;
  blobs: BlobRef[];
};

/** Neighbouring calls of one tool that all ended well, folded into one row. Open, their own rows follow it. */
export type RunRow = RowBase & {
  kind: "run";
  run: string;
  /** The record of its last call. */
  lastRecordId: RecordId;
  name: string;
  server: string | null;
  calls: number;
  /** How many of what: `14 files`. */
  subject: string;
  /** What the first few are about. */
  aside: string;
  added: number | null;
  removed: number | null;
  open: boolean;
};

/** Where an agent's answer comes back into the thread that started it. */
export type AgentReturnRow = RowBase & {
  kind: "agent-return";
  agentId: AgentId;
  lane: number;
  text: CutText;
  notified: boolean;
  /** What a notification says beside the answer: its summary and status. */
  notice?: string;
};

/** An image or a document. */
export type BlobRow = RowBase & { kind: "blob"; blob: BlobRef };

/** A compaction: what stands above it was replaced by its summary. Tokens are `null` in versions that do not write them. */
export type CompactionRow = RowBase & {
  kind: "compaction";
  trigger: string | null;
  preTokens: number | null;
  postTokens: number | null;
  summary: CutText | null;
  /** The last answer before it and the first behind it: what was sent for them is the context on either side. */
  answerBefore: RecordId | null;
  answerAfter: RecordId | null;
};

/**
 * A place where the thread goes on in more than one way. `endsHere`: the client went back to this place and
 * typed nothing since; that way has no rows.
 */
export type ForkRow = RowBase & {
  kind: "fork";
  /** As `spine`, of the rows above the fork. */
  spineAbove?: number;
  branches: ForkBranch[];
  /** How many branches the thread has, here and elsewhere. */
  count: number;
  /** Further branches that are not listed: the 50 around the one that is read are. */
  more?: number;
};

/** One of the ways in which a thread goes on from a fork, with the number of rows on it. `prompt`: its first own one, cut; empty without. */
export type ForkBranch = {
  id: BranchId;
  /** Its place among all branches of the thread, from 1, in the order in which they were begun. */
  number: number;
  prompt: string;
  rows: number;
  atMs: number | null;
  current: boolean;
  endsHere?: true;
};

/** Something the client did or said: an error, an interruption, a hook, a command's output, a notification. */
export type EventRow = RowBase & {
  kind: "event";
  event: string;
  level: "info" | "warning" | "error";
  label: string;
  /** A notification's, where the label does not say it. */
  status?: string;
  /** The agent that a command of the client's started here. */
  agentId?: AgentId;
  text: CutText;
};

/** Text that went to the model and that no person wrote: reminders, expanded commands, attachments. */
export type ContextRow = RowBase & { kind: "context"; label: string; text: CutText; blobs: BlobRef[] };

/** The client's own book-keeping, without a place in the conversation. */
export type BookkeepingRow = RowBase & { kind: "bookkeeping"; type: string; text: string };

/** A type, block or attachment that this version does not know. Its raw JSON is in the record. */
export type UnknownRow = RowBase & { kind: "unknown"; type: string; text: CutText };

/** A line that is no record: why not, and where it is in the file, in bytes. */
export type UnreadableRow = RowBase & {
  kind: "unreadable";
  reason: string;
  line: number;
  offset: number;
  length: number;
  text: CutText;
};

/** A row of a thread; `kind` says which. */
export type Row =
  | TurnRow
  | TextRow
  | ThinkingRow
  | ToolRow
  | RunRow
  | AgentReturnRow
  | BlobRow
  | CompactionRow
  | ForkRow
  | EventRow
  | ContextRow
  | BookkeepingRow
  | UnknownRow
  | UnreadableRow;

/** What a kind of row is called, and whether its rows are one line until they are opened. */
export type RowKindFacts = { name: string; isOneLine: boolean };

const ROW_KINDS: Readonly<Record<Row["kind"], RowKindFacts>> = {
  turn: { name: "Prompt", isOneLine: false },
  text: { name: "Answer", isOneLine: false },
  thinking: { name: "Thinking", isOneLine: true },
  tool: { name: "Tool call", isOneLine: true },
  run: { name: "Tool calls", isOneLine: true },
  "agent-return": { name: "Returned", isOneLine: true },
  blob: { name: "File", isOneLine: false },
  compaction: { name: "Compacted", isOneLine: false },
  fork: { name: "Fork", isOneLine: false },
  event: { name: "Note", isOneLine: true },
  context: { name: "Note", isOneLine: true },
  bookkeeping: { name: "Bookkeeping", isOneLine: true },
  unknown: { name: "Unknown", isOneLine: true },
  unreadable: { name: "Unreadable", isOneLine: false },
};

/** The facts of a kind, also of one that only a newer server knows: a page may stay open while it is updated. */
export function rowKindFacts(kind: Row["kind"]): RowKindFacts {
  return ROW_KINDS[kind] ?? { name: kind, isOneLine: false };
}

/** A window of a thread. `around` answers also say where the record stands; `null` when this detail or fold
 * hides it, and `near` is then the row before its place. `branch` is the one shown: where `around` names a record
 * of a dead branch, that one. `elsewhere`: the record stands in another thread than the one asked for: an agent's,
 * or (`null`) the main one. `otherBranch`: it stands on this branch of the thread, which is not the one asked for (`null`:
 * on the active one). `run`: it is folded away in this run. */
export type RowsResponse = {
  revision: number;
  total: number;
  from: number;
  rows: Row[];
  at: number | null;
  near?: number;
  branch: BranchId | null;
  elsewhere?: { agent: AgentId | null };
  otherBranch?: BranchId | null;
  run?: string;
};

/** An image or document inside a record, to be fetched as `…/records/{recordId}/blobs/{n}`. */
export type BlobRef = {
  recordId: RecordId;
  n: number;
  kind: "image" | "document" | "output";
  /** From the bytes, not from what the log says; `null` when they are none that a page may show. */
  mediaType: string | null;
  bytes: number | null;
  name: string | null;
};

/**
 * Cut at a length that the server chooses; the whole text is in the record. Of a call's output that was cut also its
 * end (`tail`, whole lines) and how many lines it has.
 */
export type CutText = { text: string; cut: boolean; length: number; tail?: string; lines?: number };

/** The columns beside the spine that have room for an agent each. */
export const LANE_COLUMNS = 2;

/**
 * An agent that is out: its colour and shape, its column from the spine outwards (`LANE_COLUMNS` for all that have none
 * of their own), what it does here (0 passes, 1 leaves, 2 returns, 3 leaves and is seen no more in these rows), the row
 * where it left, and its place in the session's list of agents.
 */
export type RowLane = [lane: number, column: number, phase: 0 | 1 | 2 | 3, from: number, agent: number];

/**
 * `from`: the line comes from the session before, where it hangs from `recordId`; `tool` names the call that
 * it is the result of. `to`: the call's result stands in the session after, at `recordId`. `on`: the line says that the
 * session goes on in that one.
 */
export type InheritedRow = {
  way: "from" | "to" | "on";
  sessionId: SessionId;
  title: string;
  recordId: RecordId | null;
  tool: string | null;
};

/** What every row has. */
export type RowBase = {
  /** Unique among the rows of a thread: `<recordId>.<block>`. */
  key: string;
  recordId: RecordId;
  block: number;
  /** 0 before the first prompt. */
  turn: number;
  atMs: number | null;
  /** Milliseconds since the turn's prompt, and until the row's end: its place in the span column. */
  span: { fromMs: number; toMs: number } | null;
  /** Of a call whose work went on behind its result (an agent, a workflow, a background command) until that ended. */
  durationMs: number | null;
  /** What a client before 1.0 says of the line: `deleted` by its reader, `aborted` half-way. Absent elsewhere. */
  marks?: ("deleted" | "aborted")[];
  /** The other session that the line belongs to, where a client carried it over. Absent elsewhere. */
  carried?: InheritedRow;
  /** Of a run's row and of those that it shows while it is open: the key that opens it. */
  run?: string;
  /**
   * Agents that are out while this row happens, innermost first: those that have a column, and those that leave or
   * return here. Absent without any.
   */
  lanes?: RowLane[];
  /** How many others are out and pass here. Thousands may be, so they are only counted. Absent without any. */
  passing?: number;
  /** Keys of blocks on other lines that the row shows: a result, a summary, a prompt from the queue. Absent without any. */
  shows?: string[];
  /** Colour of the branch that the row lies on, 1 for the way written first at the last fork above. Absent above the first. */
  spine?: number;
};

const MAX_FOLDED_TURNS = 20_000;
const RANGE = /^(\d{1,7})(?:-(\d{1,7}))?$/;

/**
 * The folded turns that a parameter lists, as `1,4,9` or `1-20,30`: each once, in order, and of more than 20,000 the
 * first. What is no range is passed over. Ranges may overlap: no turn is counted twice, so that the work is bounded by
 * the limit however many there are.
 */
export function foldedTurns(listed: string): number[] {
  const ranges = listed.split(",").flatMap((part) => {
    const [, from, to = from] = RANGE.exec(part) ?? [];
    return from === undefined ? [] : [{ from: Number(from), to: Number(to) }];
  });
  const turns: number[] = [];
  let turn = 0;
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    for (turn = Math.max(turn, from); turn <= to && turns.length < MAX_FOLDED_TURNS; turn++) turns.push(turn);
  }
  return turns;
}
