import type { AgentId, RecordId } from "./ids";
import type { CallStateName } from "./rows";

/**
 * Who was at work, or waited for. `human`: the next prompt, an answer to a question, a command; `idle`: nobody that
 * the log tells of.
 */
export type SpanKind = "model" | "tool" | "agent" | "permission" | "human" | "idle";

/**
 * What is wrong with a span's times: one of them is `missing` in the log, it ends in the millisecond in which it began,
 * it would end before that (or outside of what it is part of), or the log does not say that it has ended.
 */
export type SpanFlaw = "missing" | "equal" | "disordered" | "open";

/** `GET …/spans`: a stretch of a turn's time. Fields that are left out are `null`, or false. */
export type Span = {
  id: string;
  /** The span within which it lies; `null` for those of the thread itself. */
  parentId: string | null;
  kind: SpanKind;
  /** The tool, model or agent; of anything else what it is, in words. */
  name: string;
  startMs: number;
  endMs: number;
  /** False where the log only bounds it: it took no longer than this. */
  exact: boolean;
  /** Some of it is on its turn's critical path. */
  critical: boolean;
  /** Where its row is. */
  recordId: RecordId;
  block: number;
  turn: number;
  /** The agent whose thread it is in; of an agent's own span that agent. */
  agentId?: AgentId;
  /** Of an agent: its colour and shape, 1–8. */
  lane?: number;
  /** Nothing waited for it: it may go on behind its parent and its turn. */
  background?: true;
  flaw?: SpanFlaw;
  /** How a call ended that did not end well. */
  state?: Exclude<CallStateName, "ok" | "no-result" | "running">;
  /** Its parts of the critical path, in order: from and to, without what its children have. */
  path?: [fromMs: number, toMs: number][];
  /** What a call is about, an agent's task. Only of spans that were asked for by their ids (`only`). */
  subject?: string;
};

/** Names of spans of the kind `tool` that no call of the model made: what the client ran, and what a person gave. */
export const NO_CALLS: ReadonlySet<string> = new Set(["hook", "command"]);

/** `GET …/spans`: in the order of turns, parents before their children. */
export type SpansResponse = Span[];

/**
 * `GET …/spans?limit=`: some of them, no more than a megabyte holds; `total` is how many all pages have. Of the turns that
 * were asked for the first `turnsLeftOut` are in no page, since all of them would be more than a browser should hold.
 */
export type SpansPage = { spans: Span[]; total: number; turnsLeftOut: number; nextCursor: string | null };
