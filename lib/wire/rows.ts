import type { AgentId, BranchId, RecordId } from "./ids";
import type { BlobRef, CutText, RowBase } from "./row-base";

/** What a thread shows. Each level shows what the one before it does, and more; what is hidden is not sent. */
export type Detail = "prompts" | "conversation" | "tools" | "everything";

export type PromptSource = "typed" | "queued" | "command" | "bash" | "plan" | "sdk" | "agent" | "unknown";

/** A human prompt and the facts of all that follows until the next one. */
export type TurnRow = RowBase & {
  kind: "turn";
  prompt: CutText;
  source: PromptSource;
  blobs: BlobRef[];
  folded: boolean;
  /** First words of the last answer, sent when folded. */
  answer: string | null;
  toolCalls: number;
  errors: number;
  added: number;
  removed: number;
  agents: number;
  tokens: number;
  running: boolean;
  /** Its end has not been read yet, so that its numbers are not to be shown. Only while the session is first read. */
  partial?: true;
  /** Plan name, permission mode and the like, where the client recorded them with the prompt. */
  settings: Record<string, string>;
  /** Its permission mode or thinking is not that of the prompt before; true for the first. */
  settingsChanged: boolean;
};

/** A source that a text names. `url` is as the log has it: of any scheme, or none. */
export type Citation = { url: string | null; title: string };

export type TextRow = RowBase & {
  kind: "text";
  text: CutText;
  /** Absent without any. */
  citations?: Citation[];
  model: string | null;
  messageId: string | null;
  tokens: number | null;
};

export type ThinkingRow = RowBase & { kind: "thinking"; text: CutText; redacted: boolean };

export type CallState = "ok" | "error" | "running" | "denied" | "interrupted" | "timed-out" | "no-result";

/** A call, or (`name` null) what was said. */
export type AgentStep = { name: string | null; subject: string };

/** An agent as the row of its call shows it. `name`: what it was started for, or its type. */
export type RowAgent = {
  agentId: AgentId;
  name: string | null;
  toolCalls: number;
  tokens: number;
  lane: number;
  state: "running" | "done" | "failed" | "interrupted" | "unknown";
  /** Of one whose end is not known: the last thing it did. */
  step: AgentStep | null;
};

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
  state: CallState;
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
};

export type BlobRow = RowBase & { kind: "blob"; blob: BlobRef };

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
  branches: ForkWay[];
  /** Further ways that are not listed: the latest 50 are. */
  more?: number;
};

export type ForkWay = {
  id: BranchId;
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
  text: CutText;
};

/** Text that went to the model and that no person wrote: reminders, expanded commands, attachments. */
export type ContextRow = RowBase & { kind: "context"; label: string; text: CutText; blobs: BlobRef[] };

/** The client's own book-keeping, without a place in the conversation. */
export type BookkeepingRow = RowBase & { kind: "bookkeeping"; type: string; text: string };

/** A type, block or attachment that this version does not know. Its raw JSON is in the record. */
export type UnknownRow = RowBase & { kind: "unknown"; type: string; text: CutText };

export type UnreadableRow = RowBase & {
  kind: "unreadable";
  reason: string;
  line: number;
  offset: number;
  length: number;
  text: CutText;
};

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

/** A window of a thread. `around` answers also say where the record stands; `null` when this detail or fold
 * hides it. `branch` is the one shown: where `around` names a record of a dead branch, that one. `elsewhere`:
 * the record stands in another thread than the one asked for: an agent's, or (`null`) the main one. `run`:
 * it is folded away in this run. */
export type RowsResponse = {
  revision: number;
  total: number;
  from: number;
  rows: Row[];
  at: number | null;
  branch: BranchId | null;
  elsewhere?: { agent: AgentId | null };
  run?: string;
};
