import { isLaunch } from "@/lib/log/graph/agent-state";
import type { Forks } from "@/lib/log/graph/branch-points";
import { type Path, type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import { BlockKind, CallState, Level, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * What a listed row is; `block` rows are told apart by their block's kind. A `run` stands for several of them.
 * A `fork` stands before the record that goes on from it, an `endFork` behind the last one.
 */
export const RowKind = { turn: 0, block: 1, fork: 2, agentReturn: 3, run: 4, endFork: 5 } as const;

/** The rows of a path at one detail, without content: three numbers a row. */
export type RowList = {
  count: number;
  kind: Uint8Array;
  /** Of turns and forks the record, of the others the block. */
  of: Int32Array;
  turn: Uint32Array;
};

/** True for rows that stand for a record, not for one of its blocks. */
export function isRecordRow(kind: number): boolean {
  return kind === RowKind.turn || isForkRow(kind);
}

/** True for rows that show no content of their own: they offer other ways. */
export function isForkRow(kind: number): boolean {
  return kind === RowKind.fork || kind === RowKind.endFork;
}

/** The record that a row stands for, or whose block it shows. */
export function recordOfRow({ blocks }: SessionTable, { kind, of }: RowList, row: number): number {
  return isRecordRow(at(kind, row)) ? at(of, row) : blocks.get("record", at(of, row));
}

export type Folds = { has(turn: number): boolean };

/** Where to begin, and what is known of the whole path: where others leave it, and the calls that start agents. */
type Start = { place: number; forks: Forks; agentOf: ReadonlySet<number> };

/**
 * Lists what a reader sees of a path from a place on. What `level` or a fold hides is not in the list, so a window
 * of it is a window of what is on the screen.
 */
export function rowsFrom(
  table: SessionTable,
  graph: SessionGraph,
  path: Path,
  level: number,
  folds: Folds,
  { place, forks, agentOf }: Start,
): { kind: number[]; of: number[]; turn: number[] } {
  const rows: ReturnType<typeof rowsFrom> = { kind: [], of: [], turn: [] };
  let turn = turnsBefore(path, place);
  const push = (kind: number, of: number) => {
    rows.kind.push(kind);
    rows.of.push(of);
    rows.turn.push(turn);
  };
  for (let i = place; i < path.records.length; i++) {
    const record = at(path.records, i);
    if (forks.before.has(record)) push(RowKind.fork, record);
    if (startsTurn(table, graph, record)) {
      turn += 1;
      push(RowKind.turn, record);
      if (folds.has(turn)) continue;
      for (const block of blocksOf(table, record)) {
        if (table.blocks.get("kind", block) !== BlockKind.record && levelOf(table, graph, block) <= level)
          push(RowKind.block, block);
      }
      continue;
    }
    if (turn > 0 && folds.has(turn) && table.records.get("kind", record) !== RecordKind.compactBoundary)
      continue;
    for (const block of blocksOf(table, record)) {
      const shown = levelOf(table, graph, block);
      if (shown <= level) push(graph.notified.has(record) ? RowKind.agentReturn : RowKind.block, block);
      else if (level >= Level.tools && returnsAgent(table, agentOf, block)) push(RowKind.agentReturn, block);
    }
  }
  if (forks.atEnd) push(RowKind.endFork, at(path.records, path.records.length - 1));
  return rows;
}

/** Turns that start before a place. Turn 0, which no prompt starts, is none. */
function turnsBefore({ turns }: Path, place: number): number {
  let turn = turns.length - 1;
  while (turn > 0 && (turns[turn]?.from ?? 0) >= place) turn -= 1;
  return Math.max(0, turn);
}

function levelOf(table: SessionTable, graph: SessionGraph, block: number): number {
  const level = levelAlone(table, graph, block);
  return graph.copies.has(table.blocks.get("record", block)) ? Math.max(level, Level.everything) : level;
}

/** The level of a block if its record is no copy. */
function levelAlone(table: SessionTable, graph: SessionGraph, block: number): number {
  const level = table.blocks.get("level", block);
  const record = table.blocks.get("record", block);
  const kind = table.blocks.get("kind", block);
  // A result whose call is in no file of the session stands for itself.
  if (kind === BlockKind.result) {
    return table.calls.get("use", table.blocks.get("call", block)) === NONE ? Level.tools : Level.merged;
  }
  // What was cut off is said again below.
  if (kind === BlockKind.text && graph.brokenAttempts.has(table.records.get("message", record)))
    return Math.max(level, Level.tools);
  // A summary is part of its boundary's row.
  if (
    table.records.get("kind", record) === RecordKind.compactSummary &&
    summaryBoundary(table, graph, record) !== NONE
  )
    return Level.everything;
  return level;
}

/** The compaction boundary that a summary follows, -1 for a summary that stands alone. */
export function summaryBoundary(table: SessionTable, graph: SessionGraph, summary: number): number {
  let record = summary;
  for (let steps = 0; steps < 4; steps++) {
    // 2.1.330 writes what was preserved once more in between after a /branch.
    do record = at(graph.parents, record);
    while (graph.copies.has(record));
    if (record === NONE) return NONE;
    if (table.records.get("kind", record) === RecordKind.compactBoundary) return record;
  }
  return NONE;
}

/** The calls that started an agent or went on with one. */
export function agentCalls(graph: SessionGraph): ReadonlySet<number> {
  const agents = graph.threads.filter((thread) => !thread.internal && thread.call !== NONE);
  return new Set(agents.flatMap((thread) => [thread.call, ...thread.resumes]));
}

/** An agent that was stopped returns nothing, and one started in the background returns later. */
function returnsAgent(table: SessionTable, agentOf: ReadonlySet<number>, block: number): boolean {
  if (table.blocks.get("kind", block) !== BlockKind.result) return false;
  const call = table.blocks.get("call", block);
  const state = table.calls.get("state", call);
  const answered = state === CallState.ok || state === CallState.error;
  return (
    answered &&
    agentOf.has(call) &&
    table.calls.get("result", call) === block &&
    !isLaunch(table, table.blocks.get("record", block))
  );
}
