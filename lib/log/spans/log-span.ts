import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { SpanFlaw, SpanKind } from "@/lib/wire/spans";

const NONE = -1;

/** The state that spans are made from. */
export type SpanSource =
  | "answer"
  | "compaction"
  | "call"
  | "permission"
  | "background"
  | "hook"
  | "command"
  | "agent"
  | "wait";

/** A stretch of a turn's time, with numbers of records, calls and threads. Times are epoch milliseconds. */
export type LogSpan = {
  kind: SpanKind;
  source: SpanSource;
  /** Index in the list of spans, -1 for none. */
  parent: number;
  turn: number;
  /** The thread that its row is in; of an agent's span the agent's. */
  thread: number;
  record: number;
  block: number;
  /** -1 for none. */
  call: number;
  /** For an agent's span: which piece of its work. */
  round: number;
  startMs: number;
  endMs: number;
  exact: boolean;
  flaw: SpanFlaw | null;
  background: boolean;
  /** For a call: the answer that asked for it. -1 for none. */
  after: number;
  /** Its own parts of the critical path, in order. */
  path: [fromMs: number, toMs: number][];
};

/** A session's table and graph, as spans are made from them. */
export type LogOf = {
  table: SessionTable;
  graph: SessionGraph;
  /** The agents that a call started, by call. */
  agentsOf: ReadonlyMap<number, readonly number[]>;
};

/** A span with defaults for everything else. All have the same fields in the same order: there may be many. */
export function newSpan(
  { turn, thread, parent }: Pick<LogSpan, "turn" | "thread" | "parent">,
  kind: SpanKind,
  source: SpanSource,
  record: number,
  { startMs, endMs }: Pick<LogSpan, "startMs" | "endMs">,
): LogSpan {
  return {
    kind,
    source,
    parent,
    turn,
    thread,
    record,
    block: 0,
    call: NONE,
    round: 0,
    startMs,
    endMs,
    exact: true,
    flaw: null,
    background: false,
    after: NONE,
    path: [],
  };
}
