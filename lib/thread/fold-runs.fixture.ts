import type { RowList } from "./flatten";
import { type FoldedList, foldedFrom } from "./fold-runs";
import type { SessionGraph } from "./session-graph";
import type { SessionTable } from "./session-table";

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
