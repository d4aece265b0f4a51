import { findForks } from "@/lib/log/graph/branch-points";
import { type Branch, pathSteps } from "@/lib/log/graph/branches";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import { memberAfter } from "@/lib/log/graph/steps";
import { agentCalls, type Folds, type RowList, rowsFrom } from "@/lib/log/rows/flatten";
import { type FoldedList, foldedFrom } from "@/lib/log/rows/fold-runs";
import { TurnCounter } from "@/lib/log/rows/turn-counter";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

// What `IncrementalPath`, `IncrementalList` and `IncrementalRuns` must be equal to, made without them: for the model
// of a session that grows. Every other test opens branches as the server does, by `openBranch`.

/** A branch laid out from its steps alone. */
export function layOutPath(table: SessionTable, graph: SessionGraph, branch: Branch): Path {
  const { steps } = graph;
  const ordered: number[] = [];
  for (const step of pathSteps(steps, branch.leaf)) {
    for (let record = at(steps.first, step); record !== -1; record = memberAfter(steps, record))
      ordered.push(record);
  }
  const records = Int32Array.from(ordered);
  const counter = new TurnCounter(table);
  counter.count(graph, records, 0);
  return {
    records,
    turns: counter.turns,
    beginsAt: (message, position) => counter.beginsAt(message, position),
  };
}

/** All rows of a path. */
export function listRows(
  table: SessionTable,
  graph: SessionGraph,
  path: Path,
  level: number,
  folds: Folds,
): RowList {
  const start = { position: 0, forks: findForks(graph, path), agentOf: agentCalls(graph) };
  return toList(rowsFrom(table, graph, path, level, folds, start));
}

/** A whole list with its runs folded. */
export function foldRuns(
  table: SessionTable,
  graph: SessionGraph,
  list: RowList,
  isOpen: (firstBlock: number) => boolean,
): FoldedList {
  const { runs, ...rows } = foldedFrom(table, graph, list, 0, isOpen);
  return { ...toList(rows), runs };
}

function toList({ kind, of, turn }: { kind: number[]; of: number[]; turn: number[] }): RowList {
  return {
    count: kind.length,
    kind: Uint8Array.from(kind),
    of: Int32Array.from(of),
    turn: Int32Array.from(turn),
  };
}
