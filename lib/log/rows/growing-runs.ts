import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { grown } from "@/lib/log/table/grown";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { RowList } from "./flatten";
import { type FoldedList, foldedFrom, type Run, runStart } from "./fold-runs";
import { grownRows } from "./grown-rows";
import { ListStates } from "./list-states";

/** A list with its runs folded that is followed while the list grows. */
export class GrowingRuns {
  readonly #table: SessionTable;
  readonly #isOpen: (firstBlock: number) => boolean;
  readonly #states = new ListStates();
  #list: FoldedList = {
    count: 0,
    kind: new Uint8Array(),
    of: new Int32Array(),
    turn: new Uint32Array(),
    runs: new Map(),
  };
  /** Row → the row of the list that it stands for, or the first of them. */
  #base = new Int32Array();

  constructor(
    table: SessionTable,
    graph: SessionGraph,
    list: RowList,
    isOpen: (firstBlock: number) => boolean,
  ) {
    this.#table = table;
    this.#isOpen = isOpen;
    this.#goOn(graph, list, 0);
  }

  get list(): FoldedList {
    return this.#list;
  }

  /** As `GrowingList.stableSince`. */
  stableSince(before: RowList): number | null {
    return this.#states.stableSince(before);
  }

  /** @param from the first row of the list that is another, or whose call is */
  grow(graph: SessionGraph, list: RowList, from: number): void {
    this.#goOn(graph, list, runStart(this.#table, graph, list, from));
  }

  #goOn(graph: SessionGraph, list: RowList, from: number): void {
    let kept = this.#list.count;
    while (kept > 0 && at(this.#base, kept - 1) >= from) kept -= 1;
    const rows = foldedFrom(this.#table, graph, list, from, this.#isOpen);
    const { list: next, stable } = grownRows(this.#list, kept, rows);
    const runs =
      kept < this.#list.count ? runsBefore(this.#list.runs, kept) : (this.#list.runs as Map<number, Run>);
    for (const [row, run] of rows.runs) runs.set(kept + row, run);
    this.#base = grown(this.#base.subarray(0, kept), next.count, 0);
    this.#base.set(rows.base, kept);
    this.#list = { ...next, runs };
    this.#states.add(this.#list, stable);
  }
}

function runsBefore(runs: ReadonlyMap<number, Run>, row: number): Map<number, Run> {
  return new Map([...runs].filter(([of]) => of < row));
}
