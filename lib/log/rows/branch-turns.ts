import { type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { recordsDownTo } from "./incremental-path";

const NONE = -1;

/** The turns of a branch as `Path.turns` numbers them, without what they count. */
export type BranchTurns = {
  /** The turn of a record; 0 before the first prompt, and for one that is not on the branch. */
  of(record: number): number;
  /** The record that begins a turn, -1 for turn 0 and those that the branch does not have. */
  prompt(turn: number): number;
};

/**
 * A pass over the branch that ends in `leaf`: a fifth of the cost of its path, for callers that need only few records.
 */
export function branchTurns(table: SessionTable, graph: SessionGraph, leaf: number): BranchTurns {
  const turns = new Int32Array(table.records.size);
  const prompts = [NONE];
  for (const record of recordsDownTo(graph.steps, leaf)) {
    if (startsTurn(table, graph, record)) prompts.push(record);
    turns[record] = prompts.length - 1;
  }
  return { of: (record) => at(turns, record), prompt: (turn) => prompts[turn] ?? NONE };
}
