import type { Branch } from "@/lib/log/graph/branches";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import type { Folds, RowList } from "@/lib/log/rows/flatten";
import { IncrementalList } from "@/lib/log/rows/incremental-list";
import { IncrementalPath } from "@/lib/log/rows/incremental-path";
import { Level } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";

/** A branch with its rows at a level, made as the server makes them for a page. */
export function openBranch(
  table: SessionTable,
  graph: SessionGraph,
  { leaf }: Branch,
  level: number = Level.everything,
  folds: Folds = new Set<number>(),
): { path: Path; list: RowList } {
  const incremental = new IncrementalPath(table, graph, leaf);
  const { list } = new IncrementalList(table, graph, incremental, level, folds);
  return { path: incremental.path, list };
}
