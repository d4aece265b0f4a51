import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { BlockKind, CallState } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { foldsIntoRuns } from "@/lib/tools/tools";
import { RowKind, type RowList } from "./flatten";

const NONE = -1;
/** Two rows are read as quickly as one that replaces them. */
const MIN_CALLS = 3;

/** Neighbouring calls of one tool, by their blocks, and whether their rows are shown below the run's own row. */
export type Run = { blocks: Int32Array; open: boolean };

/**
 * A list of rows in which runs are folded: row → its run, for the run's own row and for every row that an open run
 * shows.
 */
export type FoldedList = RowList & { runs: ReadonlyMap<number, Run> };

/** Rows with their runs folded. `base`: for each the row of the list that it stands for, or the first of them. */
type FoldedRows = { kind: number[]; of: number[]; turn: number[]; base: number[]; runs: Map<number, Run> };

/**
 * The rows of a list from one on, three and more neighbouring calls of one tool folded into a row. Only what ended
 * well is folded, and nothing that an agent's lane begins or ends at, so that no error, no running call and no lane
 * is ever hidden. Rows before a run do not depend on those behind it. Runs are numbered by the row in this answer.
 * @param isOpen by the run's first block, which stays the same while the run grows
 */
export function foldedFrom(
  table: SessionTable,
  graph: SessionGraph,
  list: RowList,
  from: number,
  isOpen: (firstBlock: number) => boolean,
): FoldedRows {
  const joins = joiner(table, graph);
  const rows: FoldedRows = { kind: [], of: [], turn: [], base: [], runs: new Map() };
  const push = (kind: number, row: number) => {
    rows.kind.push(kind);
    rows.of.push(at(list.of, row));
    rows.turn.push(at(list.turn, row));
    rows.base.push(row);
  };
  for (let row = from; row < list.count; ) {
    const tool = joins(list, row);
    let end = row + 1;
    if (tool !== NONE) while (end < list.count && joins(list, end) === tool) end += 1;
    if (end - row < MIN_CALLS) {
      for (; row < end; row++) push(at(list.kind, row), row);
      continue;
    }
    const run = { blocks: list.of.slice(row, end), open: isOpen(at(list.of, row)) };
    rows.runs.set(rows.kind.length, run);
    push(RowKind.run, row);
    for (let shown = row; run.open && shown < end; shown++) {
      rows.runs.set(rows.kind.length, run);
      push(RowKind.block, shown);
    }
    row = end;
  }
  return rows;
}

/** The row at which the neighbours begin that a run with the row before `row` may hold. */
export function runStart(table: SessionTable, graph: SessionGraph, list: RowList, row: number): number {
  const joins = joiner(table, graph);
  let start = row;
  const tool = start > 0 ? joins(list, start - 1) : NONE;
  while (tool !== NONE && start > 0 && joins(list, start - 1) === tool) start -= 1;
  return start;
}

/** The run of a list's row, if the list is a folded one and the row is of a run. */
export function runAt(list: RowList, row: number): Run | null {
  return "runs" in list ? ((list as FoldedList).runs.get(row) ?? null) : null;
}

/** The tool in whose run a row of a list may be, -1 for none. */
function joiner(table: SessionTable, graph: SessionGraph): (list: RowList, row: number) => number {
  const { blocks, calls } = table;
  const alone = new Set<number>();
  for (const [number, name] of table.tools.list.entries()) if (!foldsIntoRuns(name)) alone.add(number);
  const agentCalls = new Set<number>();
  const ends = new Set<number>();
  for (const thread of graph.threads) {
    for (const call of [thread.call, ...thread.resumes]) agentCalls.add(call);
    if (thread.end) ends.add(thread.end.record);
  }
  return (list, row) => {
    if (at(list.kind, row) !== RowKind.block) return NONE;
    const block = at(list.of, row);
    if (blocks.kind.at(block) !== BlockKind.call) return NONE;
    const call = blocks.call.at(block);
    if (call === NONE || calls.state.at(call) !== CallState.ok || agentCalls.has(call)) return NONE;
    const tool = calls.tool.at(call);
    if (alone.has(tool)) return NONE;
    const result = calls.result.at(call);
    const tells = ends.has(blocks.record.at(block)) || ends.has(blocks.record.at(result));
    return tells ? NONE : tool;
  };
}
