import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { RowList } from "@/lib/log/rows/flatten";
import { type FoldedList, foldedFrom } from "@/lib/log/rows/fold-runs";
import type { SessionTable } from "@/lib/log/table/session-table";

/** A whole list with its runs folded, read at once: what a list that grows must be equal to. */
export function foldRuns(
  table: SessionTable,
  graph: SessionGraph,
  list: RowList,
  isOpen: (firstBlock: number) => boolean,
): FoldedList {
  const { kind, of, turn, runs } = foldedFrom(table, graph, list, 0, isOpen);
  return {
    count: kind.length,
    kind: Uint8Array.from(kind),
    of: Int32Array.from(of),
    turn: Uint32Array.from(turn),
    runs,
  };
}
