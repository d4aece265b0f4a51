import { addTo } from "@/lib/format/lists";
import { isLaunch } from "@/lib/log/graph/agent-state";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import { roundsOfCall, threadTotals } from "@/lib/log/graph/thread-totals";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { type LogOf, type LogSpan, newSpan } from "./log-span";
import { addStretch } from "./thread-spans";

const NONE = -1;

/** What had an agent work: a call and its span, or neither. */
type Caller = { call: number; parent: number; turn: number };

/** Adds the work of agents to a list of spans, each piece of it once. */
export class AgentSpans {
  readonly #log: LogOf;
  readonly #spans: LogSpan[];
  /** Agents and rounds that are in the list. */
  readonly #told = new Set<string>();

  constructor(log: LogOf, spans: LogSpan[]) {
    this.#log = log;
    this.#spans = spans;
  }

  /** Adds the agents of the span's call at the list's end, each with the contents of its thread. */
  addAgentsOf(index: number, turn: number): void {
    const { source, call } = this.#spans[index] as LogSpan;
    if (source !== "call") return;
    for (const agent of this.#log.agentsOf.get(call) ?? [])
      this.#addAgent(agent, { call, parent: index, turn });
  }

  /** Adds an agent that no call started. */
  addUncalled(agent: number, turn: number): void {
    this.#addAgent(agent, { call: NONE, parent: NONE, turn });
  }

  #addAgent(agent: number, { call, parent, turn }: Caller): void {
    const { table, graph } = this.#log;
    const thread = graph.threads[agent];
    if (!thread) return;
    const { rounds: all } = threadTotals(table, graph, agent);
    const rounds = call === NONE ? all : roundsOfCall(table, thread, all, call);
    const isDetached = parent === NONE || (call !== NONE && isLaunch(table, call));
    const caller = this.#spans[parent];
    for (const worked of rounds) {
      const round = all.indexOf(worked);
      const key = `${agent} ${round}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      const background = isDetached || caller?.background === true;
      const startMs = background || !caller ? worked.startMs : within(worked.startMs, caller);
      const endMs = background || !caller ? worked.endMs : within(worked.endMs, caller);
      const isMoved = startMs !== worked.startMs || endMs !== worked.endMs;
      const records = recordsOfRound(table, graph, agent, round);
      const own = { turn, thread: agent, parent };
      const record = caller ? caller.record : (records[0] ?? NONE);
      const span = newSpan(own, "agent", "agent", record, { startMs, endMs });
      span.block = caller?.block ?? 0;
      span.call = call;
      span.round = round;
      span.exact = !isMoved && endMs > startMs;
      span.flaw = isMoved ? "disordered" : endMs > startMs ? null : "equal";
      span.background = background;
      this.#spans.push(span);
      const first = this.#spans.length;
      const stretch = { records, thread: agent, turn, parent: first - 1, fromMs: worked.startMs };
      addStretch(this.#log, stretch, this.#spans);
      for (let index = first; index < this.#spans.length; index++) holdWithin(this.#spans, index);
    }
  }
}

/** Agents that no call started, by the turn in which they began. */
export function agentsWithoutCall(
  { table, graph }: LogOf,
  { turns }: Path,
  shown: number,
): ReadonlyMap<number, number[]> {
  const found = new Map<number, number[]>();
  for (const [index, thread] of graph.threads.entries()) {
    if (index === shown || thread.agentId === null || thread.internal || thread.call !== NONE) continue;
    const { startMs } = threadTotals(table, graph, index);
    let turn = turns.length - 1;
    while (turn > 0 && !((turns[turn]?.startMs ?? Number.NaN) <= startMs)) turn -= 1;
    addTo(found, turn, index);
  }
  return found;
}

const roundsOf = new WeakMap<SessionGraph, Map<number, number[][]>>();

/** The records of a piece of an agent's work, by file order; one between two of them belongs to the one before. */
function recordsOfRound(table: SessionTable, graph: SessionGraph, agent: number, round: number): number[] {
  const known = roundsOf.get(graph);
  if (known) return known.get(agent)?.[round] ?? [];
  const byAgent = new Map<number, number[][]>();
  const current = new Map<number, number>();
  for (let record = 0; record < graph.parents.length; record++) {
    const thread = at(graph.threadOf, record);
    if (thread === 0) continue;
    const ms = table.records.atMs.at(record);
    const { rounds } = threadTotals(table, graph, thread);
    const now = current.get(thread) ?? 0;
    // Rounds follow each other in the file, and a line of a later round never precedes an earlier one.
    const isNext =
      table.records.kind.at(record) === RecordKind.agentPrompt && rounds[now + 1]?.startMs === ms;
    if (isNext) current.set(thread, now + 1);
    const lists = byAgent.get(thread) ?? rounds.map(() => []);
    byAgent.set(thread, lists);
    lists[isNext ? now + 1 : now]?.push(record);
  }
  roundsOf.set(graph, byAgent);
  return byAgent.get(agent)?.[round] ?? [];
}

function within(ms: number, { startMs, endMs }: LogSpan): number {
  return Math.min(Math.max(ms, startMs), endMs);
}

/** Cuts a span to its parent, and marks that. */
export function holdWithin(spans: readonly LogSpan[], index: number): void {
  const span = spans[index] as LogSpan;
  const parent = spans[span.parent];
  if (!parent || span.background) return;
  const [startMs, endMs] = [within(span.startMs, parent), within(span.endMs, parent)];
  if (startMs === span.startMs && endMs === span.endMs) return;
  span.startMs = startMs;
  span.endMs = endMs;
  span.exact = false;
  span.flaw ??= "disordered";
}
