import { asNumber, asObject } from "@/lib/records/json";
import type { Branch } from "@/lib/thread/branches";
import { pathSteps } from "@/lib/thread/branches";
import { firstWords } from "@/lib/thread/cut-text";
import type { RowList } from "@/lib/thread/flatten";
import { RowKind } from "@/lib/thread/flatten";
import { Level } from "@/lib/thread/kinds";
import { buildRow, recordsOfRow } from "@/lib/thread/rows/build-row";
import type { RowContext } from "@/lib/thread/rows/row-context";
import { timeOf } from "@/lib/thread/rows/row-context";
import { resultRecord } from "@/lib/thread/rows/tool-row";
import { promptOf, promptRecord } from "@/lib/thread/rows/turn-row";
import { at } from "@/lib/thread/table";
import type { BranchId } from "@/lib/wire/ids";
import type { RowsResponse } from "@/lib/wire/rows";
import type { OutlineEntry, OutlineResponse } from "@/lib/wire/session";
import type { OutlineQuery, RowsQuery } from "../session-queries";
import { ViewerError } from "../viewer-error";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";
import { rowLanes, withLanes } from "./row-lanes";

/** Strings longer than this are cut when a window is read; a row shows less. */
const ROW_KEEP_BYTES = 16 << 10;
const OUTLINE_WORDS = 120;

/** A window of a thread: from a row on, or around a record. */
export async function rowsOf(session: OpenSession, query: RowsQuery): Promise<RowsResponse> {
  const target = query.around === null ? null : session.find(query.around);
  const branch = chooseBranch(session, query, target);
  if (!branch) return { revision: session.revision, total: 0, from: 0, rows: [], at: null, branch: null };
  const folds = foldsOf(query.fold);
  const list = session.rows(branch, Level[query.detail], folds);
  const place = target === null ? null : placeOf(session, branch, list, target);
  const from = place
    ? Math.max(0, place.near - Math.floor(query.count / 2))
    : Math.min(query.from, list.count);
  const to = Math.min(list.count, from + query.count);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const context = await contextFor(session, branch, folds, (unread) =>
    indexes.flatMap((index) => recordsOfRow(unread, list, index)),
  );
  const built = indexes.map((index) => buildRow(context, list, index));
  const rows = withLanes(rowLanes(session, branch, list), from, built);
  return {
    revision: session.revision,
    total: list.count,
    from,
    rows,
    at: place?.exact ?? null,
    branch: branchId(session, branch),
  };
}

/** One entry for each turn of a branch, with the row where it stands. */
export async function outlineOf(session: OpenSession, query: OutlineQuery): Promise<OutlineResponse> {
  const branch = chooseBranch(session, { ...query, agent: null }, null);
  if (!branch) return { revision: session.revision, total: 0, from: 0, turns: [] };
  const folds = foldsOf(query.fold);
  const list = session.rows(branch, Level[query.detail], folds);
  const path = session.path(branch);
  const total = path.turns.length - 1;
  const numbers = Array.from(
    { length: Math.max(0, Math.min(total, query.from + query.count) - query.from) },
    (_, i) => query.from + i + 1,
  );
  const context = await contextFor(session, branch, folds, (unread) =>
    numbers.flatMap((number) => {
      const turn = path.turns[number];
      return turn ? [promptRecord(unread, turn.record), turn.compactedBefore] : [];
    }),
  );
  const rowOfTurn = turnRows(list);
  return {
    revision: session.revision,
    total,
    from: query.from,
    turns: numbers.map((number) => outlineEntry(context, session, number, rowOfTurn.get(number) ?? 0)),
  };
}

function outlineEntry(context: RowContext, session: OpenSession, number: number, row: number): OutlineEntry {
  const turn = context.path.turns[number] ?? context.path.turns[0];
  if (!turn) throw new Error(`Turn ${number} is not on this path`);
  const { toolCalls, errors, added, removed, agents, compactedBefore } = turn;
  const boundary = compactedBefore === -1 ? null : context.read(compactedBefore);
  const metadata = boundary?.kind === "system" ? asObject(boundary.json.compactMetadata) : null;
  return {
    turn: number,
    recordId: session.recordId(turn.record),
    row,
    prompt: firstWords(promptOf(context.read(promptRecord(context, turn.record))), OUTLINE_WORDS),
    atMs: timeOf(session.table, turn.record),
    toolCalls,
    errors,
    added,
    removed,
    agents,
    compactedBefore: boundary
      ? { preTokens: asNumber(metadata?.preTokens), postTokens: asNumber(metadata?.postTokens) }
      : null,
  };
}

function turnRows(list: RowList): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < list.count; row++)
    if (at(list.kind, row) === RowKind.turn) rows.set(at(list.turn, row), row);
  return rows;
}

export type KeyedFolds = { has(turn: number): boolean; key: string };

/** Folded turns as a set, and what tells two of them apart. */
export function foldsOf(fold: readonly number[]): KeyedFolds {
  const turns = new Set(fold);
  return { has: (turn) => turns.has(turn), key: [...turns].sort((a, b) => a - b).join(",") };
}

async function contextFor(
  session: OpenSession,
  branch: Branch,
  folds: KeyedFolds,
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
    read: () => null,
  };
  return { ...unread, read: await readRecords(session, needs(unread), ROW_KEEP_BYTES) };
}

/** The last record of a branch that is a node of the graph: behind it may stand lines of the client's own book-keeping. */
export function lastNode({ graph: { steps }, table }: OpenSession, branch: Branch): number {
  for (let i = at(steps.memberStart, branch.leaf + 1) - 1; i >= at(steps.memberStart, branch.leaf); i--) {
    const record = at(steps.members, i);
    if (
      table.records.get("message", record) !== -1 ||
      table.types.at(table.records.get("type", record)) === "user"
    )
      return record;
  }
  return branch.leafRecord;
}

/** The id of a branch: the record of its leaf. */
export function branchId(session: OpenSession, branch: Branch): BranchId {
  return session.recordId(branch.leafRecord) as string as BranchId;
}

/**
 * The branch that a request means: the one through the record it names as `branch`, else the one
 * that holds the record it looks around, else the active one. `null` for a thread without records.
 */
export function chooseBranch(
  session: OpenSession,
  query: Pick<RowsQuery, "branch" | "agent">,
  target: number | null,
): Branch | null {
  const { graph } = session;
  let thread = 0;
  if (query.agent !== null) {
    thread = graph.threads.findIndex((one) => one.agentId === query.agent);
    if (thread <= 0)
      throw new ViewerError("agent-not-found", "There is no such agent in this session", {
        hint: "Open the session without it.",
      });
  }
  const branches = graph.branches[thread] ?? [];
  if (query.branch !== null)
    return through(session, branches, session.find(query.branch)) ?? branches[0] ?? null;
  return (target === null ? null : through(session, branches, target)) ?? branches[0] ?? null;
}

function through(session: OpenSession, branches: readonly Branch[], record: number): Branch | null {
  const { steps } = session.graph;
  const step = at(steps.of, record);
  return branches.find((branch) => pathSteps(steps, branch.leaf).includes(step)) ?? null;
}

/** Where a record stands in a list: `exact` if a row shows it, `near` the row at or before its place. */
function placeOf(
  session: OpenSession,
  branch: Branch,
  list: RowList,
  target: number,
): { exact: number | null; near: number } {
  const { table } = session;
  const order = new Map<number, number>();
  const path = session.path(branch).records;
  for (let i = 0; i < path.length; i++) order.set(at(path, i), i);
  const wanted = order.get(target);
  let near = 0;
  for (let row = 0; row < list.count; row++) {
    const kind = at(list.kind, row);
    const of = at(list.of, row);
    if (kind === RowKind.fork) continue;
    const record = kind === RowKind.turn ? of : table.blocks.get("record", of);
    // A result is shown in the row of its call.
    const answers =
      kind === RowKind.block &&
      table.blocks.get("call", of) !== -1 &&
      resultRecord(session, table.blocks.get("call", of)) === target;
    if (record === target || answers) return { exact: row, near: row };
    if (wanted !== undefined && (order.get(record) ?? 0) <= wanted) near = row;
  }
  return { exact: null, near };
}
