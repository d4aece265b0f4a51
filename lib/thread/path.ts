import { CallState, Flag, RecordKind } from "./kinds";
import type { SessionGraph } from "./session-graph";
import type { SessionTable } from "./session-table";

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

/** Tells whether a record starts a turn of its thread. */
export function startsTurn(table: SessionTable, graph: SessionGraph, record: number): boolean {
  if (graph.copies.has(record)) return false;
  const kind = table.records.get("kind", record);
  return kind === RecordKind.prompt || kind === RecordKind.agentPrompt || graph.queuedTurns.has(record);
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
