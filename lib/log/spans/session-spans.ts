import { addTo } from "@/lib/format/lists";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import { agentsOfCalls } from "@/lib/log/rows/called-agent";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { AgentSpans, agentsWithoutCall, holdWithin } from "./agent-spans";
import { criticalPath } from "./critical-path";
import type { LogSpan } from "./log-span";
import { addStretch } from "./thread-spans";
import { startOf, workEnd, workEndBefore } from "./turn-times";
import { addWait, addWaits } from "./waits";

const NONE = -1;

/**
 * Where the time of a branch's turns went: what the model, its calls and their agents took, what was waited for, and
 * what cannot be attributed, each turn with its critical path. Turn by turn, parents before their children.
 * @param turns the first and the last one; turn 0 is what precedes the first prompt
 */
export function spansOf(
  table: SessionTable,
  graph: SessionGraph,
  path: Path,
  turns: { from: number; to: number },
): LogSpan[] {
  const log = { table, graph, agentsOf: agentsOfCalls(graph) };
  const spans: LogSpan[] = [];
  const agents = new AgentSpans(log, spans);
  const lastRecord = path.records.at(-1);
  const thread = lastRecord === undefined ? 0 : at(graph.threadOf, lastRecord);
  const uncalled = agentsWithoutCall(log, path, thread);
  let beforeMs = workEndBefore(log, path, turns.from);
  for (let turn = turns.from; turn <= turns.to && turn < path.turns.length; turn++) {
    const first = spans.length;
    const fromMs = startOf(table, path, turn, beforeMs);
    const next = path.turns[turn + 1];
    const { from = 0, record = NONE } = path.turns[turn] ?? {};
    const own = path.records.subarray(from, next?.from);
    const people = addStretch(log, { records: own, thread, turn, parent: NONE, fromMs }, spans);
    const last = spans.length;
    for (let index = first; index < last; index++) holdWithin(spans, index);
    const endMs = ownEnd(spans, first, fromMs);
    for (const agent of uncalled.get(turn) ?? []) agents.addUncalled(agent, turn);
    // The list grows during the loop, so agents of agents come later.
    for (let index = first; index < spans.length; index++) agents.addAgentsOf(index, turn);
    const workedMs = workEnd(log, path, turn);
    if (!Number.isNaN(workedMs)) beforeMs = workedMs;
    if (Number.isNaN(fromMs)) continue;
    addWaits(spans, first, last, { turn, thread, record, fromMs, people });
    markPath(spans, first, fromMs, endMs);
    if (next && (last > first || turn > 0)) {
      const cameMs = startOf(table, path, turn + 1, beforeMs);
      addWait(spans, "human", endMs, cameMs, { turn, thread, record: next.record });
    }
  }
  return spans;
}

/** When the last of a turn's own spans ended. */
function ownEnd(spans: readonly LogSpan[], first: number, fromMs: number): number {
  let endMs = fromMs;
  for (let index = first; index < spans.length; index++) {
    const span = spans[index] as LogSpan;
    if (span.parent === NONE && !span.background && span.endMs > endMs) endMs = span.endMs;
  }
  return endMs;
}

/** Gives each of a turn's spans its parts of the critical path. */
function markPath(spans: readonly LogSpan[], first: number, fromMs: number, endMs: number): void {
  const childrenOf = new Map<number, number[]>();
  const top: number[] = [];
  for (let index = first; index < spans.length; index++) {
    const { parent } = spans[index] as LogSpan;
    if (parent === NONE) top.push(index);
    else {
      addTo(childrenOf, parent, index);
    }
  }
  for (const piece of criticalPath(spans, top, childrenOf, fromMs, endMs)) {
    const { path } = spans[piece.span] as LogSpan;
    const last = path.at(-1);
    if (last && last[1] === piece.fromMs) last[1] = piece.toMs;
    else path.push([piece.fromMs, piece.toMs]);
  }
}
