import { addTo } from "@/lib/format/lists";
import { isLaunch } from "@/lib/log/graph/agent-state";
import { isSpacer, type Path, type SessionGraph } from "@/lib/log/graph/session-graph";
import { roundsOfCall, threadTotals } from "@/lib/log/graph/thread-totals";
import { agentsOfCalls } from "@/lib/log/rows/called-agent";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { criticalPath } from "./critical-path";
import { addStretch, type LogOf, type LogSpan, newSpan, type PersonsAct } from "./thread-spans";

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
  const told = new Set<string>();
  const thread = path.records.length > 0 ? at(graph.threadOf, path.records.at(-1) as number) : 0;
  const uncalled = agentsWithoutCall(log, path, thread);
  let before = workEndBefore(log, path, turns.from);
  for (let turn = turns.from; turn <= turns.to && turn < path.turns.length; turn++) {
    const first = spans.length;
    const fromMs = startOf(table, path, turn, before);
    const own = path.records.subarray(path.turns[turn]?.from ?? 0, path.turns[turn + 1]?.from);
    const people = addStretch(log, { records: own, thread, turn, parent: NONE, fromMs }, spans);
    const last = spans.length;
    for (let index = first; index < last; index++) holdWithin(spans, index);
    const endMs = ownEnd(spans, first, fromMs);
    for (const agent of uncalled.get(turn) ?? []) addAgent(log, agent, { call: NONE, parent: NONE, turn });
    for (let index = first; index < spans.length; index++) addAgentsOf(index, turn);
    const workedMs = workEnd(log, path, turn);
    if (!Number.isNaN(workedMs)) before = workedMs;
    if (!Number.isNaN(fromMs)) {
      addWaits(first, last, {
        turn,
        thread,
        fromMs,
        endMs,
        people,
        record: path.turns[turn]?.record ?? NONE,
      });
      markPath(spans, first, fromMs, endMs);
      if (last > first || turn > 0) addPromptWait(turn, thread, endMs);
    }
  }
  return spans;

  /**
   * The agents of a call, each with the contents of its thread. The list grows during the loop, so agents of agents
   * come later.
   */
  function addAgentsOf(index: number, turn: number): void {
    const { source, call } = spans[index] as LogSpan;
    if (source !== "call") return;
    for (const agent of log.agentsOf.get(call) ?? []) addAgent(log, agent, { call, parent: index, turn });
  }

  function addAgent(
    { table }: LogOf,
    agent: number,
    { call, parent, turn }: { call: number; parent: number; turn: number },
  ): void {
    const thread = graph.threads[agent];
    if (!thread) return;
    const { rounds: all } = threadTotals(table, graph, agent);
    const rounds = call === NONE ? all : roundsOfCall(table, thread, all, call);
    const isDetached = parent === NONE || (call !== NONE && isLaunch(table, call));
    const caller = spans[parent];
    for (const worked of rounds) {
      const round = all.indexOf(worked);
      const key = `${agent} ${round}`;
      if (told.has(key)) continue;
      told.add(key);
      const background = isDetached || caller?.background === true;
      const startMs = background || !caller ? worked.startMs : within(worked.startMs, caller);
      const endMs = background || !caller ? worked.endMs : within(worked.endMs, caller);
      const isMoved = startMs !== worked.startMs || endMs !== worked.endMs;
      const records = recordsOfRound(table, graph, agent, round);
      const own = { turn, thread: agent, parent };
      const record = caller ? caller.record : (records[0] ?? NONE);
      const span = newSpan(own, "agent", "agent", record, startMs, endMs);
      span.block = caller?.block ?? 0;
      span.call = call;
      span.round = round;
      span.exact = !isMoved && endMs > startMs;
      span.flaw = isMoved ? "disordered" : endMs > startMs ? null : "equal";
      span.background = background;
      spans.push(span);
      const first = spans.length;
      addStretch(log, { records, thread: agent, turn, parent: first - 1, fromMs: worked.startMs }, spans);
      for (let index = first; index < spans.length; index++) holdWithin(spans, index);
    }
  }

  /**
   * The time that no span of the turn's own thread covers: up to something that a person did it is that person's, after
   * that nobody's.
   */
  function addWaits(
    first: number,
    last: number,
    turn: Pick<LogSpan, "turn" | "thread" | "record"> & {
      fromMs: number;
      endMs: number;
      people: PersonsAct[];
    },
  ): void {
    const own: LogSpan[] = [];
    for (let index = first; index < last; index++) {
      const span = spans[index] as LogSpan;
      if (span.parent === NONE && !span.background) own.push(span);
    }
    own.sort((a, b) => a.startMs - b.startMs);
    const people = turn.people.toSorted((a, b) => a.ms - b.ms);
    let coveredMs = turn.fromMs;
    let acted = 0;
    for (const { startMs, endMs, record } of own) {
      while ((people[acted]?.ms ?? Number.POSITIVE_INFINITY) <= startMs) acted += 1;
      if (startMs > coveredMs) {
        const last = people[acted - 1];
        const act = last && last.ms > coveredMs ? last : undefined;
        if (act) addWait("human", coveredMs, act.ms, { ...turn, record: act.record });
        addWait("idle", act?.ms ?? coveredMs, startMs, { ...turn, record });
      }
      coveredMs = Math.max(coveredMs, endMs);
    }
  }

  function addPromptWait(turn: number, thread: number, endMs: number): void {
    const next = path.turns[turn + 1];
    if (!next) return;
    const cameMs = startOf(table, path, turn + 1, before);
    addWait("human", endMs, cameMs, { turn, thread, record: next.record });
  }

  function addWait(
    kind: "human" | "idle",
    startMs: number,
    endMs: number,
    { turn, thread, record }: Pick<LogSpan, "turn" | "thread" | "record">,
  ): void {
    if (!(endMs > startMs)) return;
    spans.push(newSpan({ turn, thread, parent: NONE }, kind, "wait", record, startMs, endMs));
  }
}

/** Agents that no call started, by the turn in which they began. */
function agentsWithoutCall(
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

/** When a turn began: with its prompt, or, if that was typed while something was running, when that had ended. */
function startOf(table: SessionTable, path: Path, turn: number, beforeMs: number): number {
  const { record = NONE, from = 0, startMs = Number.NaN } = path.turns[turn] ?? {};
  const own = record === NONE ? Number.NaN : table.records.atMs.at(record);
  const cameMs = turn === 0 || Number.isNaN(own) ? startMs : own;
  if (!(beforeMs > cameMs)) return Number.isNaN(cameMs) ? beforeMs : cameMs;
  // Work that ends after the turn's own answer was not waited for: either a clock was wrong, or a fork begins with a
  // line of its own, which is newer than the lines that it copied.
  for (let i = from; i < path.records.length; i++) {
    const one = at(path.records, i);
    if (table.records.kind.at(one) !== RecordKind.assistant) continue;
    return table.records.atMs.at(one) >= beforeMs ? beforeMs : cameMs;
  }
  return cameMs;
}

/**
 * When the last work of a turn had ended: an answer, the result of one of its calls, wherever that is, a compaction, a
 * hook, a command. NaN for a turn without any.
 */
function workEnd({ table, graph }: LogOf, path: Path, turn: number): number {
  const { records, blocks, calls } = table;
  let endMs = Number.NaN;
  const addEnd = (ms: number) => {
    if (!(ms <= endMs) && !Number.isNaN(ms)) endMs = ms;
  };
  const to = path.turns[turn + 1]?.from ?? path.records.length;
  for (let i = path.turns[turn]?.from ?? 0; i < to; i++) {
    const record = at(path.records, i);
    const kind = records.kind.at(record);
    if (graph.duplicates.has(record) || isSpacer(table, record)) continue;
    if (WORK.has(kind) || (kind === RecordKind.attachment && records.tookMs.at(record) > 0))
      addEnd(records.atMs.at(record));
    if (kind !== RecordKind.assistant) continue;
    for (const block of blocksOf(table, record)) {
      const call = blocks.kind.at(block) === BlockKind.call ? blocks.call.at(block) : NONE;
      const result = call === NONE ? NONE : calls.result.at(call);
      if (result !== NONE) addEnd(records.atMs.at(blocks.record.at(result)));
    }
  }
  return endMs;
}

/** When the last work before a turn had ended. */
function workEndBefore(log: LogOf, path: Path, turn: number): number {
  let endMs = Number.NaN;
  for (let earlier = turn - 1; earlier >= 0 && Number.isNaN(endMs); earlier--)
    endMs = workEnd(log, path, earlier);
  return endMs;
}

const WORK: ReadonlySet<number> = new Set([
  RecordKind.assistant,
  RecordKind.synthetic,
  RecordKind.results,
  RecordKind.commandOutput,
  RecordKind.compactBoundary,
]);

/** When the last of a turn's own spans ended. */
function ownEnd(spans: readonly LogSpan[], first: number, fromMs: number): number {
  let endMs = fromMs;
  for (let index = first; index < spans.length; index++) {
    const span = spans[index] as LogSpan;
    if (span.parent === NONE && !span.background && span.endMs > endMs) endMs = span.endMs;
  }
  return endMs;
}

function within(ms: number, { startMs, endMs }: LogSpan): number {
  return Math.min(Math.max(ms, startMs), endMs);
}

/** Cuts a span to its parent, and marks that. */
function holdWithin(spans: readonly LogSpan[], index: number): void {
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
