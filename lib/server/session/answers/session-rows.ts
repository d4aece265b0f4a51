import { firstPlace } from "@/lib/format/lists";
import type { Branch } from "@/lib/log/graph/branches";
import { membersOf } from "@/lib/log/graph/steps";
import { lanesBeside, type RailLanes, railLanes } from "@/lib/log/map/rail-lanes";
import { buildRow, recordsOfRow } from "@/lib/log/rows/build-row";
import { isForkRow, RowKind, type RowList, recordOfRow, summaryBoundary } from "@/lib/log/rows/flatten";
import { runAt } from "@/lib/log/rows/fold-runs";
import type { RowContext } from "@/lib/log/rows/row-context";
import { resultRecord } from "@/lib/log/rows/tool-row";
import { Level, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { parseRowKey } from "@/lib/wire/ids";
import type { RowsQuery } from "@/lib/wire/requests/threads";
import type { Detail, Row, RowsResponse } from "@/lib/wire/rows";
import { withInherited } from "../inherited-records";
import type { KeyedFolds } from "../laid-out-branches";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { chooseBranch, idOfBranch } from "./branch-entries";

const NONE = -1;
/** Longer strings are cut when a window is read. A row shows at most this many units, which may take more bytes. */
const ROW_KEEP_BYTES = 16 << 10;
const ROW_KEEP_UNITS = 8 << 10;

/** A window of a thread: from a row on, or around a record. */
export async function rowsOf(session: OpenSession, query: RowsQuery): Promise<RowsResponse> {
  const target = query.around === null ? null : session.find(query.around);
  const thread = threadAround(session, query, target);
  if (!thread) return { revision: session.revision, total: 0, from: 0, rows: [], at: null, branch: null };
  const { branch, list, folds, position } = thread;
  const from = position
    ? Math.max(0, position.near - Math.floor(query.count / 2))
    : Math.min(query.from, list.count);
  const to = Math.min(list.count, from + query.count);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const context = await contextFor(session, branch, folds, (unread) =>
    indexes.flatMap((index) => recordsOfRow(unread, list, index)),
  );
  const built = indexes.map((index) => withInherited(buildRow(context, list, index), session.inherited));
  const rows = withLanes(rowLanes(session, branch, list), from, built);
  return {
    revision: session.revision,
    total: list.count,
    from,
    rows,
    at: position?.exact ?? null,
    ...(position && { near: position.near }),
    branch: idOfBranch(session, branch),
    ...(target !== null && position?.exact === null ? otherThread(session, query, target) : null),
    ...(target !== null && otherBranch(session, query, branch, target)),
    ...(position && foldedRun(rows[position.near - from])),
  };
}

/** The closed run that hides the record, if its row is one. */
function foldedRun(row: Row | undefined): Pick<RowsResponse, "run"> {
  return row?.kind === "run" && !row.open ? { run: row.run } : {};
}

type ThreadAround = {
  branch: Branch;
  list: RowList;
  folds: ReaderFolds;
  position: ReturnType<typeof findRow> | null;
};

/** The list of rows that a request means, and the position of its `around` record in it. */
function threadAround(session: OpenSession, query: RowsQuery, target: number | null): ThreadAround | null {
  const branch = chooseBranch(session, query, target);
  if (!branch) return null;
  const folds = foldsOf(query.fold, query.runs);
  const list = rowList(session, branch, query.detail, folds);
  const position = target === null ? null : findRow(session, branch, list, target);
  const found: ThreadAround = { branch, list, folds, position };
  const other = target === null || position?.exact !== null ? NONE : shownWith(session, target);
  if (other === NONE) return found;
  const first = threadAround(session, query, other);
  return first && first.position?.exact !== null ? first : found;
}

/**
 * The record whose row shows the content of this one, -1 for none: for a call that is written twice the first one, for
 * a summary its boundary, for a prompt that only the queue contains the line that began its turn.
 */
function shownWith({ table, graph }: OpenSession, record: number): number {
  const original = graph.duplicates.get(record);
  if (original !== undefined) return original;
  if (table.records.kind.at(record) === RecordKind.compactSummary)
    return summaryBoundary(table, graph, record);
  for (const [turn, queued] of graph.queuedTurns) if (queued === record) return turn;
  return NONE;
}

/** The thread of a record, if it is not the requested one. */
function otherThread(
  { graph }: OpenSession,
  { agent }: RowsQuery,
  target: number,
): Pick<RowsResponse, "elsewhere"> {
  const thread = graph.threads[at(graph.steps.thread, at(graph.steps.of, target))];
  return thread && thread.agentId !== agent ? { elsewhere: { agent: thread.agentId } } : {};
}

/** The branch that contains a record of this thread, if that is not the requested one: `null` for the active one. */
function otherBranch(
  session: OpenSession,
  query: RowsQuery,
  branch: Branch,
  target: number,
): Pick<RowsResponse, "otherBranch"> {
  const active = chooseBranch(session, { branch: null, agent: query.agent }, null);
  if (query.branch === null) return branch === active ? {} : { otherBranch: idOfBranch(session, branch) };
  if (session.isOn(branch, target)) return {};
  const other = chooseBranch(session, { branch: null, agent: query.agent }, target);
  if (!other || !session.isOn(other, target)) return {};
  return { otherBranch: other === active ? null : idOfBranch(session, other) };
}

/** The context that rows of a branch are built from, with the records read that `needs` names. */
export async function contextFor(
  session: OpenSession,
  branch: Branch,
  folds: ReaderFolds,
  needs: (unread: RowContext) => number[],
): Promise<RowContext> {
  const { table, graph, logs } = session;
  const unread: RowContext = {
    table,
    graph,
    logs,
    branch,
    path: session.path(branch),
    folds,
    prices: pricesInUse().table,
    read: () => null,
  };
  return { ...unread, read: await readRecords(session, needs(unread), ROW_KEEP_BYTES, ROW_KEEP_UNITS) };
}

/**
 * The row of a record in a list: `exact` if a row shows it, its own before that of the call it answers; `near` for the
 * row at or before its position, and for a record on another branch for the row where that branch leaves.
 */
function findRow(
  session: OpenSession,
  branch: Branch,
  list: RowList,
  target: number,
): { exact: number | null; near: number } {
  const positionAt = (row: number) => session.positionOn(branch, recordOfRow(session.table, list, row));
  const wanted = session.positionOn(branch, target);
  let [first, last] = [wanted, wanted];
  for (const use of callsOf(session, target)) {
    const position = session.positionOn(branch, use);
    [first, last] = [Math.min(first, position), Math.max(last, position)];
  }
  // A record on no branch may still be a call's result: then every row is examined.
  const begin = first === -1 ? 0 : rowBefore(list, first, positionAt);
  let near = wanted === -1 ? rowBefore(list, positionOfStem(session, branch, target) + 1, positionAt) : begin;
  let shown = -1;
  for (let row = begin; row < list.count; row++) {
    if (isForkRow(at(list.kind, row))) continue;
    const position = positionAt(row);
    if (first !== -1 && position > last) break;
    if (showsTarget(session, list, row, target)) {
      // An agent's answer has a row below that of its call, possibly far below.
      if (recordOfRow(session.table, list, row) === target) return { exact: row, near: row };
      if (shown === -1) shown = row;
    }
    if (wanted !== -1 && position <= wanted) near = row;
  }
  return shown === -1 ? { exact: null, near } : { exact: shown, near: shown };
}

/** The last row, except forks, that begins before a position on the path; 0 for none. */
function rowBefore(list: RowList, position: number, positionAt: (row: number) => number): number {
  let row = firstPlace(0, list.count, (index) => positionAt(index) >= position) - 1;
  while (row > 0 && isForkRow(at(list.kind, row))) row -= 1;
  return Math.max(0, row);
}

/**
 * The position on a branch where the path to a record of another branch leaves it; -1 if they have nothing in common.
 */
function positionOfStem(session: OpenSession, branch: Branch, target: number): number {
  const { steps } = session.graph;
  for (let step = at(steps.of, target); step !== -1; step = at(steps.parent, step)) {
    let last = -1;
    for (const record of membersOf(steps, step)) last = Math.max(last, session.positionOn(branch, record));
    if (last >= 0) return last;
  }
  return -1;
}

/** The records of the calls whose results a record contains. */
function callsOf({ table }: OpenSession, record: number): number[] {
  const { blocks, calls } = table;
  return [...blocksOf(table, record)].flatMap((block) => {
    const call = blocks.call.at(block);
    const use = call === -1 ? -1 : calls.use.at(call);
    return use === -1 ? [] : [blocks.record.at(use)];
  });
}

function showsTarget(session: OpenSession, list: RowList, row: number, target: number): boolean {
  const kind = at(list.kind, row);
  const of = at(list.of, row);
  const run = kind === RowKind.run ? runAt(list, row) : null;
  if (run) return !run.open && run.blocks.some((block) => showsRecord(session, block, target));
  return kind === RowKind.block
    ? showsRecord(session, of, target)
    : recordOfRow(session.table, list, row) === target;
}

/** Whether a block's row shows a record: as its own, or as the result of its call. */
function showsRecord(session: OpenSession, block: number, target: number): boolean {
  const { blocks } = session.table;
  if (blocks.record.at(block) === target) return true;
  const call = blocks.call.at(block);
  return call !== -1 && resultRecord(session, call) === target;
}

/** The turns and runs of calls that a reader has folded. */
export type ReaderFolds = KeyedFolds & {
  /** The open runs among the folded ones, by their first row's key; `null`: no run is folded. */
  runs: readonly string[] | null;
};

/** Folded turns as a set, together with the open runs. */
export function foldsOf(fold: readonly number[], runs: readonly string[] | null = null): ReaderFolds {
  const turns = new Set(fold);
  return { has: (turn) => turns.has(turn), key: [...turns].sort((a, b) => a - b).join(","), runs };
}

/** The visible rows of a branch: those of a level of detail, without what is folded. */
export function rowList(session: OpenSession, branch: Branch, detail: Detail, folds: ReaderFolds): RowList {
  const { runs } = folds;
  // At `everything` every row is listed, and below `tools` no call is shown.
  if (runs === null || detail !== "tools") return session.rows(branch, Level[detail], folds);
  return session.foldedRows(branch, Level[detail], folds, runs.join(" "), () => {
    const open = new Set(runs.flatMap((run) => blockOf(session, run)));
    return (block) => open.has(block);
  });
}

/** The block of a row's key, if the log still has it. */
function blockOf(session: OpenSession, key: string): number[] {
  const { recordId, block } = parseRowKey(key);
  try {
    const first = session.table.records.firstBlock.at(session.find(recordId));
    return [first + block];
  } catch (error) {
    if (isViewerError(error)) return [];
    throw error;
  }
}

/** Lanes are cached with the list of rows beside which they are drawn. */
const lanesOf = new WeakMap<RowList, RailLanes>();

/** The lanes beside a list of a branch's rows, computed once. */
export function rowLanes(session: OpenSession, branch: Branch, list: RowList): RailLanes {
  const lanes = lanesOf.get(list) ?? railLanes(session.table, session.graph, session.path(branch), list);
  lanesOf.set(list, lanes);
  return lanes;
}

/** Adds to rows `from …` of a list the lanes beside them. */
function withLanes(lanes: RailLanes, from: number, rows: readonly Row[]): Row[] {
  const beside = lanesBeside(lanes, from, from + rows.length);
  return rows.map((row, index) => {
    const { lanes: open = [], passing = 0 } = beside[index] ?? {};
    const spine = lanes.spine[from + index] ?? 0;
    if (open.length === 0 && passing === 0 && spine === 0) return row;
    const drawn = {
      ...row,
      ...(open.length > 0 && { lanes: open }),
      ...(passing > 0 && { passing }),
      ...(spine > 0 && { spine }),
    };
    const above = lanes.spine[from + index - 1] ?? 0;
    return drawn.kind === "fork" && above > 0 ? { ...drawn, spineAbove: above } : drawn;
  });
}
