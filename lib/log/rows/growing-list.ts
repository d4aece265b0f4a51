import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { agentCalls, type Folds, RowKind, type RowList, recordOfRow, rowsFrom } from "./flatten";
import { grownRows } from "./grown-rows";
import type { GrowingPath } from "./incremental-path";
import { ListStates } from "./list-states";

const NONE = -1;

/** The rows of a path that is followed while its session grows. */
export class GrowingList {
  readonly #table: SessionTable;
  readonly #level: number;
  readonly #folds: Folds;
  readonly #states = new ListStates();
  #list: RowList = { count: 0, kind: new Uint8Array(), of: new Int32Array(), turn: new Uint32Array() };
  #agentOf: ReadonlySet<number>;

  constructor(table: SessionTable, graph: SessionGraph, path: GrowingPath, level: number, folds: Folds) {
    this.#table = table;
    this.#level = level;
    this.#folds = folds;
    this.#agentOf = agentCalls(graph);
    this.#goOn(graph, path, 0);
  }

  get list(): RowList {
    return this.#list;
  }

  /** How many of the first rows are the same as in a state of before; null for one that is not known any more. */
  stableSince(before: RowList): number | null {
    return this.#states.stableSince(before);
  }

  /** @param from the place of the path from which on rows may be others */
  grow(graph: SessionGraph, path: GrowingPath, from: number, agents: boolean): void {
    this.#goOn(graph, path, agents ? Math.min(from, this.#agentsAgain(graph, path)) : from);
  }

  /** The place of the first result that is an agent's now, or no more. */
  #agentsAgain(graph: SessionGraph, path: GrowingPath): number {
    const { calls, blocks } = this.#table;
    const before = this.#agentOf;
    this.#agentOf = agentCalls(graph);
    let first = path.path.records.length;
    for (const call of [...before, ...this.#agentOf]) {
      if (before.has(call) && this.#agentOf.has(call)) continue;
      const result = calls.get("result", call);
      const place = result === NONE ? NONE : path.placeOf(blocks.get("record", result));
      if (place !== NONE) first = Math.min(first, place);
    }
    return first;
  }

  #goOn(graph: SessionGraph, path: GrowingPath, place: number): void {
    const kept = rowsBefore(this.#table, path, this.#list, place);
    const { forks } = path;
    const start = { place, forks, agentOf: this.#agentOf };
    const rows = rowsFrom(this.#table, graph, path.path, this.#level, this.#folds, start);
    const { list, stable } = grownRows(this.#list, kept, rows);
    this.#list = list;
    this.#states.add(list, stable);
  }
}

/** The rows of a list that show these calls. */
export function rowsOfCalls(
  table: SessionTable,
  path: GrowingPath,
  list: RowList,
  wanted: Iterable<number>,
): number[] {
  const { calls, blocks } = table;
  const rows: number[] = [];
  for (const call of wanted) {
    const use = calls.get("use", call);
    const record = use === NONE ? NONE : blocks.get("record", use);
    const place = use === NONE ? NONE : path.placeOf(record);
    if (place === NONE) continue;
    for (let row = rowsBefore(table, path, list, place); row < list.count; row++) {
      if (recordOfRow(table, list, row) !== record) break;
      if (at(list.kind, row) === RowKind.block && at(list.of, row) === use) rows.push(row);
    }
  }
  return rows;
}

/** How many rows stand before a place of the path. */
function rowsBefore(table: SessionTable, path: GrowingPath, list: RowList, place: number): number {
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isEnd = at(list.kind, middle) === RowKind.endFork;
    const there = isEnd ? path.path.records.length : path.placeOf(recordOfRow(table, list, middle));
    // A row whose record has left the path stood behind all that stayed.
    if (there !== NONE && there < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
