import { firstPlace } from "@/lib/format/lists";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";
import { agentCalls, type Folds, RowKind, type RowList, recordOfRow, rowsFrom } from "./flatten";
import { type FoldedList, foldedFrom, type Run, runStart } from "./fold-runs";
import type { IncrementalPath } from "./incremental-path";

const NONE = -1;

/** The rows of a path, kept up to date while its session grows. */
export class IncrementalList {
  readonly #table: SessionTable;
  readonly #level: number;
  readonly #folds: Folds;
  readonly #states = new ListStates();
  #list: RowList = { count: 0, kind: new Uint8Array(), of: new Int32Array(), turn: new Int32Array() };
  #agentOf: ReadonlySet<number>;

  constructor(table: SessionTable, graph: SessionGraph, path: IncrementalPath, level: number, folds: Folds) {
    this.#table = table;
    this.#level = level;
    this.#folds = folds;
    this.#agentOf = agentCalls(graph);
    this.#extend(graph, path, 0);
  }

  get list(): RowList {
    return this.#list;
  }

  /** How many of the first rows are the same as in an earlier state; null for a state that is no longer known. */
  stableSince(before: RowList): number | null {
    return this.#states.stableSince(before);
  }

  /** @param from the position on the path from which rows may have changed */
  grow(graph: SessionGraph, path: IncrementalPath, from: number, agents: boolean): void {
    this.#extend(graph, path, agents ? Math.min(from, this.#agentsAgain(graph, path)) : from);
  }

  /** The position of the first result that has become an agent's answer, or no longer is one. */
  #agentsAgain(graph: SessionGraph, path: IncrementalPath): number {
    const { calls, blocks } = this.#table;
    const before = this.#agentOf;
    this.#agentOf = agentCalls(graph);
    let first = path.path.records.length;
    for (const call of [...before, ...this.#agentOf]) {
      if (before.has(call) && this.#agentOf.has(call)) continue;
      const result = calls.result.at(call);
      const position = result === NONE ? NONE : path.positionOf(blocks.record.at(result));
      if (position !== NONE) first = Math.min(first, position);
    }
    return first;
  }

  #extend(graph: SessionGraph, path: IncrementalPath, position: number): void {
    const kept = rowsBefore(this.#table, path, this.#list, position);
    const { forks } = path;
    const start = { position, forks, agentOf: this.#agentOf };
    const rows = rowsFrom(this.#table, graph, path.path, this.#level, this.#folds, start);
    const { list, stable } = appendedRows(this.#list, kept, rows);
    this.#list = list;
    this.#states.add(list, stable);
  }
}

/** The rows of a list that show these calls. */
export function rowsOfCalls(
  table: SessionTable,
  path: IncrementalPath,
  list: RowList,
  wanted: Iterable<number>,
): number[] {
  const { calls, blocks } = table;
  const rows: number[] = [];
  for (const call of wanted) {
    const use = calls.use.at(call);
    const record = use === NONE ? NONE : blocks.record.at(use);
    const position = use === NONE ? NONE : path.positionOf(record);
    if (position === NONE) continue;
    for (let row = rowsBefore(table, path, list, position); row < list.count; row++) {
      if (recordOfRow(table, list, row) !== record) break;
      if (at(list.kind, row) === RowKind.block && at(list.of, row) === use) rows.push(row);
    }
  }
  return rows;
}

/** Number of rows before a position on the path. */
function rowsBefore(table: SessionTable, path: IncrementalPath, list: RowList, position: number): number {
  return firstPlace(0, list.count, (row) => {
    const isEnd = at(list.kind, row) === RowKind.endFork;
    const there = isEnd ? path.path.records.length : path.positionOf(recordOfRow(table, list, row));
    // A row whose record has left the path was after all that stayed.
    return there === NONE || there >= position;
  });
}

type Rows = { kind: readonly number[]; of: readonly number[]; turn: readonly number[] };

/**
 * A list with other rows from `kept` on, and how many of the first ones are the same. It shares the memory of the
 * previous list for those; the previous list stays valid and unchanged.
 */
function appendedRows(before: RowList, kept: number, rows: Rows): { list: RowList; stable: number } {
  const added = rows.kind.length;
  let same = 0;
  while (same < added && kept + same < before.count && isSame(before, kept + same, rows, same)) same += 1;
  const stable = kept + same;
  const count = kept + added;
  const cut = <N extends Uint8Array | Int32Array>(numbers: N) =>
    withCapacity(stable < before.count ? (numbers.slice(0, stable) as N) : numbers, count, 0);
  const list = { count, kind: cut(before.kind), of: cut(before.of), turn: cut(before.turn) };
  for (let row = same; row < added; row++) {
    list.kind[kept + row] = rows.kind[row] as number;
    list.of[kept + row] = rows.of[row] as number;
    list.turn[kept + row] = rows.turn[row] as number;
  }
  return { list, stable };
}

function isSame(list: RowList, row: number, rows: Rows, index: number): boolean {
  return (
    list.kind[row] === rows.kind[index] &&
    list.of[row] === rows.of[index] &&
    list.turn[row] === rows.turn[index]
  );
}

/** Readers follow every state or start again: older states than this are not asked for. */
const MAX_STATES = 64;

/** The last states of a growing list of rows, and how many of the first rows each has in common with the one before. */
class ListStates {
  readonly #states: { list: WeakRef<RowList>; stable: number }[] = [];

  add(list: RowList, stable: number): void {
    this.#states.push({ list: new WeakRef(list), stable });
    if (this.#states.length > MAX_STATES) this.#states.shift();
  }

  /** How many of the first rows are the same now as in an earlier state; null for a state that is no longer known. */
  stableSince(before: RowList): number | null {
    const from = this.#states.findIndex(({ list }) => list.deref() === before);
    if (from === NONE) return null;
    return this.#states.slice(from + 1).reduce((least, { stable }) => Math.min(least, stable), before.count);
  }
}

/** A list with folded runs, kept up to date while the list grows. */
export class IncrementalRuns {
  readonly #table: SessionTable;
  readonly #isOpen: (firstBlock: number) => boolean;
  readonly #states = new ListStates();
  #list: FoldedList = {
    count: 0,
    kind: new Uint8Array(),
    of: new Int32Array(),
    turn: new Int32Array(),
    runs: new Map(),
  };
  /** Row → the row of the list that it represents, or the first of them. */
  #base = new Int32Array();

  constructor(
    table: SessionTable,
    graph: SessionGraph,
    list: RowList,
    isOpen: (firstBlock: number) => boolean,
  ) {
    this.#table = table;
    this.#isOpen = isOpen;
    this.#extend(graph, list, 0);
  }

  get list(): FoldedList {
    return this.#list;
  }

  /** See `IncrementalList.stableSince`. */
  stableSince(before: RowList): number | null {
    return this.#states.stableSince(before);
  }

  /** @param from the first row of the list that has changed, or whose call has */
  grow(graph: SessionGraph, list: RowList, from: number): void {
    this.#extend(graph, list, runStart(this.#table, graph, list, from));
  }

  #extend(graph: SessionGraph, list: RowList, from: number): void {
    let kept = this.#list.count;
    while (kept > 0 && at(this.#base, kept - 1) >= from) kept -= 1;
    const rows = foldedFrom(this.#table, graph, list, from, this.#isOpen);
    const { list: next, stable } = appendedRows(this.#list, kept, rows);
    const runs =
      kept < this.#list.count ? runsBefore(this.#list.runs, kept) : (this.#list.runs as Map<number, Run>);
    for (const [row, run] of rows.runs) runs.set(kept + row, run);
    this.#base = withCapacity(this.#base.subarray(0, kept), next.count, 0);
    this.#base.set(rows.base, kept);
    this.#list = { ...next, runs };
    this.#states.add(this.#list, stable);
  }
}

function runsBefore(runs: ReadonlyMap<number, Run>, row: number): Map<number, Run> {
  return new Map([...runs].filter(([of]) => of < row));
}
