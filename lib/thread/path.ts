import { type Branch, pathSteps } from "./branches";
import { BlockKind, CallState, Flag, RecordKind } from "./kinds";
import type { SessionGraph } from "./session-graph";
import type { SessionTable } from "./session-table";
import { memberAfter } from "./steps";
import { at } from "./table";

const NONE = -1;

/** The facts of one turn: its prompt and all that follows until the next one. Turn 0 stands before the first prompt. */
export type Turn = {
  /** The record of its prompt; for turn 0 the first record. */
  record: number;
  /** Where it starts in `Path.records`. */
  from: number;
  toolCalls: number;
  errors: number;
  added: number;
  removed: number;
  agents: number;
  /** Messages of the turn. */
  tokens: number;
  startMs: number;
  endMs: number;
  compactedBefore: number;
};

/** A branch laid out: its records in reading order, and its turns. */
export type Path = { records: Int32Array; turns: Turn[] };

/** Lays a branch out. Costs one pass over its records. */
export function layOutPath(table: SessionTable, graph: SessionGraph, branch: Branch): Path {
  const { steps } = graph;
  const ordered: number[] = [];
  for (const step of pathSteps(steps, branch.leaf)) {
    for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record))
      ordered.push(record);
  }
  const records = Int32Array.from(ordered);
  return { records, turns: countTurns(table, graph, records) };
}

/** Tells whether a record starts a turn of its thread. */
export function startsTurn(table: SessionTable, graph: SessionGraph, record: number): boolean {
  if (graph.copies.has(record)) return false;
  const kind = table.records.get("kind", record);
  return kind === RecordKind.prompt || kind === RecordKind.agentPrompt || graph.queuedTurns.has(record);
}

function countTurns(table: SessionTable, graph: SessionGraph, path: Int32Array): Turn[] {
  const { records } = table;
  const agentsOfCall = new Map<number, number>();
  for (const thread of graph.threads)
    if (thread.call !== NONE && !thread.internal)
      agentsOfCall.set(thread.call, (agentsOfCall.get(thread.call) ?? 0) + 1);
  const turns: Turn[] = [newTurn(path[0] ?? NONE, 0)];
  const counted = new Set<number>();
  let compaction = NONE;
  for (let i = 0; i < path.length; i++) {
    const record = at(path, i);
    if (records.get("kind", record) === RecordKind.compactBoundary) compaction = record;
    if (startsTurn(table, graph, record)) {
      turns.push({ ...newTurn(record, i), compactedBefore: compaction });
      compaction = NONE;
    }
    const turn = turns[turns.length - 1] as Turn;
    noteTime(turn, records.get("atMs", record));
    noteBlocks(table, agentsOfCall, turn, record);
    const message = records.get("message", record);
    if (message === NONE || counted.has(message)) continue;
    counted.add(message);
    turn.tokens += messageTokens(table, message);
  }
  return turns;
}

function newTurn(record: number, from: number): Turn {
  const counts = { toolCalls: 0, errors: 0, added: 0, removed: 0, agents: 0, tokens: 0 };
  return { record, from, ...counts, startMs: Number.NaN, endMs: Number.NaN, compactedBefore: NONE };
}

function noteTime(turn: Turn, ms: number): void {
  if (Number.isNaN(ms)) return;
  // File order is not time order in any version; the prompt's own time is the turn's start.
  if (Number.isNaN(turn.startMs)) turn.startMs = ms;
  if (Number.isNaN(turn.endMs) || ms > turn.endMs) turn.endMs = ms;
}

function noteBlocks(
  table: SessionTable,
  agentsOfCall: ReadonlyMap<number, number>,
  turn: Turn,
  record: number,
): void {
  const { blocks, calls } = table;
  for (const block of blocksOf(table, record)) {
    if (blocks.get("kind", block) !== BlockKind.call) continue;
    const call = blocks.get("call", block);
    if (calls.get("use", call) !== block) continue;
    turn.toolCalls += 1;
    if (isFailure(calls.get("state", call))) turn.errors += 1;
    turn.added += calls.get("added", call);
    turn.removed += calls.get("removed", call);
    turn.agents += agentsOfCall.get(call) ?? 0;
  }
}

/** A call whose result is marked as an error: refusals, interruptions and time-outs are. */
export function isFailure(state: number): boolean {
  return state !== CallState.none && state !== CallState.ok && state !== CallState.stopped;
}

/** Input, output and cache tokens of a message. */
export function messageTokens(table: SessionTable, message: number): number {
  const { messages } = table;
  return (
    messages.get("input", message) +
    messages.get("output", message) +
    messages.get("cacheWrite", message) +
    messages.get("cacheRead", message)
  );
}

/** The blocks of a record, as numbers in `table.blocks`. */
export function* blocksOf(table: SessionTable, record: number): Generator<number> {
  const { blocks, records } = table;
  for (
    let block = records.get("firstBlock", record);
    block < blocks.size && blocks.get("record", block) === record;
    block++
  )
    yield block;
}

/** True for a result that only says that an agent was started in the background. */
export function isLaunch(table: SessionTable, record: number): boolean {
  return (table.records.get("flags", record) & Flag.asyncLaunch) !== 0;
}
