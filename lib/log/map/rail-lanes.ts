import { addTo, firstPlace } from "@/lib/format/lists";
import { agentStateOf } from "@/lib/log/graph/agent-state";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import { stepAbove } from "@/lib/log/graph/steps";
import { agentsOfCalls } from "@/lib/log/rows/called-agent";
import { RowKind, type RowList } from "@/lib/log/rows/flatten";
import { BlockKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { LANE_COLUMNS, type RowLane } from "@/lib/wire/rows";

const NONE = -1;

/** What a lane does at a row. `calls`: it leaves here and does not return in these rows. */
export const LanePhase = { passes: 0, leaves: 1, returns: 2, calls: 3 } as const;

/** The lanes of a list of rows: one entry for each agent that is open over some rows, ordered by their first row. */
export type RailLanes = {
  count: number;
  from: Int32Array;
  to: Int32Array;
  lane: Uint8Array;
  /** Its column from the spine outwards, `LANE_COLUMNS` for all that have none of their own. */
  column: Uint8Array;
  /** The index of its agent in the session's list of agents (`agentEntries`). */
  agent: Uint16Array;
  /**
   * What it does at its last row: `returns`; `passes` while its agent has not returned; `calls` where it never does.
   */
  last: Uint8Array;
  /** The maximum `to` of this and all earlier entries, for a binary search of a window. */
  reach: Int32Array;
  /** Row → colour of the branch that the spine is on there, 0 before the first fork. */
  spine: Uint8Array;
};

type Span = { thread: number; from: number; to: number; last: number };

/** Finds where agents leave and return among rows. One pass over the list. */
export function railLanes(table: SessionTable, graph: SessionGraph, path: Path, list: RowList): RailLanes {
  const threadsOfCall = agentsOfCalls(graph);
  const spans: Span[] = [];
  const open = new Map<number, number>();
  const ends = endsOfAgents(graph);
  // This runs again with every line of a session that is followed, and hardly any of its rows concern an agent.
  const startsAgent = marked(table.calls.size, threadsOfCall.keys());
  const endsAgent = marked(table.records.size, ends.keys());
  const { kind: blockKind, call: callOf, record: recordOf } = table.blocks;
  const resultOf = table.calls.result;
  const tellsOfEnd = (block: number, call: number): boolean => {
    if (endsAgent[recordOf.at(block)] === 1) return true;
    const result = call === NONE ? NONE : resultOf.at(call);
    return result !== NONE && endsAgent[recordOf.at(result)] === 1;
  };
  const spine = new Uint8Array(list.count);
  const colours = branchColours(graph, path);
  let colour = 0;
  for (let row = 0; row < list.count; row++) {
    const of = at(list.of, row);
    const kind = at(list.kind, row);
    if (kind === RowKind.fork) colour = colours.get(of) ?? colour;
    spine[row] = colour;
    if (kind === RowKind.agentReturn) {
      const thread = returningThread(table, graph, threadsOfCall, of);
      const span = open.get(thread);
      if (span === undefined) continue;
      Object.assign(spans[span] as object, { to: row, last: LanePhase.returns });
      open.delete(thread);
      continue;
    }
    if (kind !== RowKind.block) continue;
    const call = callOf.at(of);
    if (ends.size > 0 && tellsOfEnd(of, call))
      for (const thread of endedBeside(table, ends, of)) {
        const span = spans[open.get(thread) ?? NONE];
        if (span) Object.assign(span, { to: row, last: LanePhase.returns });
        open.delete(thread);
      }
    if (call !== NONE && startsAgent[call] === 1 && blockKind.at(of) === BlockKind.call) {
      for (const thread of threadsOfCall.get(call) ?? []) {
        if (open.has(thread)) continue;
        open.set(thread, spans.length);
        spans.push({ thread, from: row, to: row, last: LanePhase.passes });
      }
    }
  }
  for (const [thread, index] of open) {
    const span = spans[index];
    const agent = graph.threads[thread];
    if (!span || !agent) continue;
    if (agentStateOf(table, agent) === "unknown") span.to = list.count - 1;
    else span.last = LanePhase.calls;
  }
  return pack(graph, spans, spine);
}

/** A byte for each number below `count`: 1 for the given numbers. */
function marked(count: number, numbers: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(count);
  for (const number of numbers) marks[number] = 1;
  return marks;
}

function pack(graph: SessionGraph, spans: readonly Span[], spine: Uint8Array): RailLanes {
  const count = spans.length;
  const numbers = () => new Int32Array(count);
  const small = () => new Uint8Array(count);
  const lanes: RailLanes = {
    count,
    from: numbers(),
    to: numbers(),
    lane: small(),
    column: small(),
    agent: new Uint16Array(count),
    last: small(),
    reach: numbers(),
    spine,
  };
  const indexes = agentIndexes(graph);
  // Thousands of agents may be out at once, so none looks through the columns of all others.
  const columnEnds = new Int32Array(LANE_COLUMNS).fill(NONE);
  let reach = NONE;
  for (const [index, { thread, from, to, last }] of spans.entries()) {
    const free = columnEnds.findIndex((end) => end < from);
    const column = free === NONE ? LANE_COLUMNS : free;
    if (free !== NONE) columnEnds[free] = to;
    reach = Math.max(reach, to);
    lanes.from[index] = from;
    lanes.to[index] = to;
    lanes.last[index] = last;
    lanes.lane[index] = graph.threads[thread]?.lane ?? 1;
    lanes.column[index] = column;
    lanes.agent[index] = indexes.get(thread) ?? 0;
    lanes.reach[index] = reach;
  }
  return lanes;
}

/** What stands beside a row: the lanes that are drawn, innermost first, and how many others pass. */
export type LanesBeside = { lanes: RowLane[]; passing: number };

/**
 * The lanes beside rows `from … to`. The cost depends on the lanes open there, not on the position, nor on the rows that
 * each of those without a column passes.
 */
export function lanesBeside(lanes: RailLanes, from: number, to: number): LanesBeside[] {
  const beside: LanesBeside[] = Array.from({ length: to - from }, () => ({ lanes: [], passing: 0 }));
  /** How many more pass at a row than at the one above. */
  const more = new Int32Array(to - from + 1);
  const first = firstPlace(0, lanes.count, (index) => at(lanes.reach, index) >= from);
  for (let index = first; index < lanes.count && at(lanes.from, index) < to; index++) {
    const begins = at(lanes.from, index);
    const ends = at(lanes.to, index);
    const last = at(lanes.last, index);
    const column = at(lanes.column, index);
    const draw = (row: number, phase: number) => {
      if (row < from || row >= to) return;
      const drawn = [at(lanes.lane, index), column, phase, begins, at(lanes.agent, index)];
      beside[row - from]?.lanes.push(drawn as RowLane);
    };
    draw(begins, last === LanePhase.calls ? last : LanePhase.leaves);
    // Between the row where it leaves and the one where it returns, or behind the last.
    const begun = Math.max(from, begins + 1);
    const end = Math.min(to, last === LanePhase.passes ? ends + 1 : ends);
    if (column < LANE_COLUMNS) for (let row = begun; row < end; row++) draw(row, LanePhase.passes);
    else if (begun < end) {
      more[begun - from] = at(more, begun - from) + 1;
      more[end - from] = at(more, end - from) - 1;
    }
    if (ends > begins && last !== LanePhase.passes) draw(ends, last);
  }
  let passing = 0;
  for (const [row, one] of beside.entries()) {
    passing += at(more, row);
    one.passing = passing;
    one.lanes.sort((a, b) => a[1] - b[1]);
  }
  return beside;
}

const indexesOf = new WeakMap<SessionGraph, ReadonlyMap<number, number>>();

/** Thread → its index in the session's list of agents (`agentEntries`). */
function agentIndexes(graph: SessionGraph): ReadonlyMap<number, number> {
  const known = indexesOf.get(graph);
  if (known) return known;
  const indexes = new Map<number, number>();
  for (const [index, { agentId, internal }] of graph.threads.entries())
    if (agentId !== null && !internal) indexes.set(index, indexes.size);
  indexesOf.set(graph, indexes);
  return indexes;
}

/** Record that reports an end → the agents that ended, for answers that no notification contains: workflows, looks at an output. */
function endsOfAgents(graph: SessionGraph): ReadonlyMap<number, readonly number[]> {
  const notified = new Set(graph.notified.values());
  const ends = new Map<number, number[]>();
  for (const [index, { end, internal }] of graph.threads.entries()) {
    if (!end || internal || notified.has(index)) continue;
    addTo(ends, end.record, index);
  }
  return ends;
}

/** The agents whose end a row reports: in its own record, or in the result that it shows. */
function endedBeside(
  { blocks, calls }: SessionTable,
  ends: ReadonlyMap<number, readonly number[]>,
  block: number,
): readonly number[] {
  const call = blocks.call.at(block);
  const result = call === NONE ? NONE : calls.result.at(call);
  const shown = result === NONE ? NONE : blocks.record.at(result);
  return ends.get(blocks.record.at(block)) ?? ends.get(shown) ?? [];
}

function returningThread(
  table: SessionTable,
  graph: SessionGraph,
  threadsOfCall: ReadonlyMap<number, readonly number[]>,
  block: number,
): number {
  const notified = graph.notified.get(table.blocks.record.at(block));
  return notified ?? threadsOfCall.get(table.blocks.call.at(block))?.[0] ?? NONE;
}

/**
 * The colour of the branch taken, for each record of a path that directly follows a fork; 1 is the
 * branch written first. The fork's row shows the same number beside it.
 */
function branchColours(graph: SessionGraph, path: Path): ReadonlyMap<number, number> {
  const { steps } = graph;
  const { records } = path;
  const { of } = steps;
  const last = path.records.at(-1);
  const thread = last === undefined ? NONE : at(steps.thread, at(steps.of, last));
  const branches = graph.branches[thread] ?? [];
  const colours = new Map<number, number>();
  if (branches.length < 2) return colours;
  // Bytes for each step, and no call per record: this runs again with every line of a session that is followed.
  const onPath = new Uint8Array(steps.count);
  for (let i = 0; i < records.length; i++) onPath[of[records[i] as number] as number] = 1;
  const branchesAt = new Map<number, Set<number>>();
  const passed = new Set<number>();
  for (const branch of branches) {
    let child = NONE;
    let step = branch.leaf;
    while (step !== NONE && !onPath[step] && !passed.has(step)) {
      passed.add(step);
      child = step;
      step = stepAbove(steps, thread, step);
    }
    if (passed.has(step)) continue;
    const others = branchesAt.get(step) ?? new Set();
    branchesAt.set(step, others);
    // A branch that ends on the path is the last one there, and does not shift the numbers of others.
    if (child !== NONE) others.add(child);
  }
  const isFork = new Uint8Array(steps.count);
  for (const step of branchesAt.keys()) if (step !== NONE) isFork[step] = 1;
  let before = NONE;
  for (let i = 0; i < records.length; i++) {
    const record = records[i] as number;
    const step = of[record] as number;
    if (step === before) continue;
    const others = before === NONE || isFork[before] === 1 ? branchesAt.get(before) : undefined;
    if (others)
      colours.set(
        record,
        1 + [...others].filter((child) => at(steps.first, child) < at(steps.first, step)).length,
      );
    before = step;
  }
  return colours;
}
