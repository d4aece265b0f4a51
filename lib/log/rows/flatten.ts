import { isLaunch } from "@/lib/log/graph/agent-state";
import type { Forks } from "@/lib/log/graph/branch-points";
import { type Path, type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import { BlockKind, CallState, Flag, isFailure, Level, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * The kind of a listed row; `block` rows are distinguished further by their block's kind. A `run` represents several
 * of them. A `fork` precedes the record that continues from it, an `endFork` follows the last record.
 */
export const RowKind = { turn: 0, block: 1, fork: 2, agentReturn: 3, run: 4, endFork: 5 } as const;

/** The rows of a path at one level of detail, without content: three numbers a row. */
export type RowList = {
  count: number;
  kind: Uint8Array;
  /** The record for turns and forks, the block for all others. */
  of: Int32Array;
  turn: Int32Array;
};

/** True for rows that represent a record, not one of its blocks. */
export function isRecordRow(kind: number): boolean {
  return kind === RowKind.turn || isForkRow(kind);
}

/** True for rows that have no content of their own but offer other branches. */
export function isForkRow(kind: number): boolean {
  return kind === RowKind.fork || kind === RowKind.endFork;
}

/** The record that a row represents, or whose block it shows. */
export function recordOfRow({ blocks }: SessionTable, { kind, of }: RowList, row: number): number {
  return isRecordRow(at(kind, row)) ? at(of, row) : blocks.record.at(at(of, row));
}

/** The folded turns, by number. */
export type Folds = { has(turn: number): boolean };

/** Where to begin, and facts about the whole path: where other branches leave it, and the calls that start agents. */
type Start = { position: number; forks: Forks; agentOf: ReadonlySet<number> };

/**
 * Lists the visible rows of a path from a position on. Rows hidden by `level` or a fold are not in the list, so a
 * window of it is a window of what is on the screen.
 */
export function rowsFrom(
  table: SessionTable,
  graph: SessionGraph,
  path: Path,
  level: number,
  folds: Folds,
  { position, forks, agentOf }: Start,
): { kind: number[]; of: number[]; turn: number[] } {
  const rows: ReturnType<typeof rowsFrom> = { kind: [], of: [], turn: [] };
  let turn = turnsBefore(path, position);
  const push = (kind: number, of: number) => {
    rows.kind.push(kind);
    rows.of.push(of);
    rows.turn.push(turn);
  };
  for (let i = position; i < path.records.length; i++) {
    const record = at(path.records, i);
    if (forks.before.has(record)) push(RowKind.fork, record);
    if (startsTurn(table, graph, record)) {
      turn += 1;
      push(RowKind.turn, record);
      if (folds.has(turn)) continue;
      for (const block of blocksOf(table, record)) {
        if (table.blocks.kind.at(block) !== BlockKind.record && levelOf(table, graph, block) <= level)
          push(RowKind.block, block);
      }
      continue;
    }
    if (turn > 0 && folds.has(turn) && table.records.kind.at(record) !== RecordKind.compactBoundary) continue;
    for (const block of blocksOf(table, record)) {
      const shown = levelOf(table, graph, block);
      if (shown <= level) push(graph.notified.has(record) ? RowKind.agentReturn : RowKind.block, block);
      else if (level >= Level.tools && returnsAgent(table, agentOf, block)) push(RowKind.agentReturn, block);
    }
  }
  if (forks.atEnd) push(RowKind.endFork, at(path.records, path.records.length - 1));
  return rows;
}

/** Number of turns that start before a position, without turn 0, which has no prompt. */
function turnsBefore({ turns }: Path, position: number): number {
  let turn = turns.length - 1;
  while (turn > 0 && (turns[turn]?.from ?? 0) >= position) turn -= 1;
  return Math.max(0, turn);
}

/** The level of detail from which on a block has a row of its own. */
export function levelOf(table: SessionTable, graph: SessionGraph, block: number): number {
  const level = levelAlone(table, graph, block);
  return graph.duplicates.has(table.blocks.record.at(block)) ? Math.max(level, Level.everything) : level;
}

/** The level of a block, assuming that its record is not a duplicate. */
function levelAlone(table: SessionTable, graph: SessionGraph, block: number): number {
  const level = table.blocks.level.at(block);
  const record = table.blocks.record.at(block);
  const kind = table.blocks.kind.at(block);
  // A result whose call is in no file of the session is a row of its own.
  if (kind === BlockKind.result) {
    return table.calls.use.at(table.blocks.call.at(block)) === NONE ? Level.tools : Level.merged;
  }
  // Text that was cut off is repeated below by the retry.
  if (kind === BlockKind.text && graph.retriedMessages.has(table.records.message.at(record)))
    return Math.max(level, Level.tools);
  // A summary is part of its boundary's row.
  if (
    table.records.kind.at(record) === RecordKind.compactSummary &&
    summaryBoundary(table, graph, record) !== NONE
  )
    return Level.everything;
  return level;
}

/** Whether a block shows an error: a call that failed, was refused or stopped; a failed request; a line that cannot be read. */
export function isErrorBlock(table: SessionTable, graph: SessionGraph, block: number): boolean {
  const { blocks, records, calls } = table;
  const record = blocks.record.at(block);
  if (graph.duplicates.has(record)) return false;
  const kind = blocks.kind.at(block);
  const call = kind === BlockKind.call ? blocks.call.at(block) : NONE;
  if (call !== NONE) return isFailure(calls.state.at(call));
  if (records.kind.at(record) === RecordKind.unreadable) return true;
  const isShown = kind === BlockKind.text && blocks.level.at(block) !== Level.merged;
  return isShown && (records.flags.at(record) & Flag.apiError) !== 0;
}

/** The compaction boundary that a summary follows, -1 for a summary without one. */
export function summaryBoundary(table: SessionTable, graph: SessionGraph, summary: number): number {
  let record = summary;
  for (let steps = 0; steps < 4; steps++) {
    // 2.1.330 writes the preserved records again in between after a /branch.
    do record = at(graph.parents, record);
    while (graph.duplicates.has(record));
    if (record === NONE) return NONE;
    if (table.records.kind.at(record) === RecordKind.compactBoundary) return record;
  }
  return NONE;
}

const callsOf = new WeakMap<SessionGraph, ReadonlySet<number>>();

/** The calls that started or resumed an agent. Found once: each of thousands of agents has a list of rows. */
export function agentCalls(graph: SessionGraph): ReadonlySet<number> {
  const known = callsOf.get(graph);
  if (known) return known;
  const agents = graph.threads.filter((thread) => !thread.internal && thread.call !== NONE);
  const calls = new Set(agents.flatMap((thread) => [thread.call, ...thread.resumes]));
  callsOf.set(graph, calls);
  return calls;
}

/** True for a result that is an agent's answer: a stopped agent has none, and a background agent answers later. */
function returnsAgent(table: SessionTable, agentOf: ReadonlySet<number>, block: number): boolean {
  if (table.blocks.kind.at(block) !== BlockKind.result) return false;
  const call = table.blocks.call.at(block);
  const state = table.calls.state.at(call);
  const answered = state === CallState.ok || state === CallState.error;
  return answered && agentOf.has(call) && table.calls.result.at(call) === block && !isLaunch(table, call);
}
