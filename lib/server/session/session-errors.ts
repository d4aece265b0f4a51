import type { Branch } from "@/lib/thread/branches";
import { RowKind } from "@/lib/thread/flatten";
import { BlockKind, Flag, Level, RecordKind } from "@/lib/thread/kinds";
import { blocksOf, isFailure } from "@/lib/thread/path";
import { timeOf } from "@/lib/thread/rows/row-context";
import { at } from "@/lib/thread/table";
import type { AgentId } from "@/lib/wire/ids";
import type { ErrorPlace, ErrorsResponse } from "@/lib/wire/session";
import type { ErrorsQuery } from "../session-queries";
import { branchId, chooseBranch } from "./choose-branch";
import type { OpenSession } from "./open-session";
import { foldsOf, rowList } from "./row-list";

const NONE = -1;
const MOST_ROWS = 20_000;
const MOST_PLACES = 50;

/** Where a thread's errors are: in its rows as they are shown, hidden by them, and in the session's other threads. */
export function errorsOf(session: OpenSession, query: ErrorsQuery): ErrorsResponse {
  const { revision } = session;
  const branch = chooseBranch(session, query, null);
  if (!branch) return { revision, rows: [], hidden: 0, elsewhere: 0, places: [] };
  const list = rowList(session, branch, query.detail, foldsOf(query.fold, query.runs));
  const rows: number[] = [];
  for (let row = 0; row < list.count; row++)
    if (at(list.kind, row) === RowKind.block && isError(session, at(list.of, row))) rows.push(row);
  let onPath = 0;
  for (const record of session.path(branch).records)
    for (const block of blocksOf(session.table, record)) if (isError(session, block)) onPath += 1;
  const others = errorsBeside(session, branch);
  return {
    revision,
    rows: rows.slice(0, MOST_ROWS),
    hidden: onPath - rows.length,
    elsewhere: others.length,
    places: others.slice(0, MOST_PLACES).map((block) => placeOf(session, block)),
  };
}

/** A call that failed, was refused or stopped; an answer that the API did not give; a line that cannot be read. */
function isError({ table, graph }: OpenSession, block: number): boolean {
  const { blocks, records, calls } = table;
  const record = blocks.get("record", block);
  if (graph.copies.has(record)) return false;
  const kind = blocks.get("kind", block);
  const call = kind === BlockKind.call ? blocks.get("call", block) : NONE;
  if (call !== NONE) return isFailure(calls.get("state", call));
  if (records.get("kind", record) === RecordKind.unreadable) return true;
  const isShown = kind === BlockKind.text && blocks.get("level", block) !== Level.merged;
  return isShown && (records.get("flags", record) & Flag.apiError) !== 0;
}

/** Errors that are not on the branch: on others of its thread, in agents, or in the thread that this agent is of. */
function errorsBeside(session: OpenSession, branch: Branch): number[] {
  const { table, graph } = session;
  const found: number[] = [];
  for (let block = 0; block < table.blocks.size; block++) {
    if (!isError(session, block)) continue;
    const record = table.blocks.get("record", block);
    if (graph.threads[at(graph.threadOf, record)]?.internal) continue;
    if (session.placeOn(branch, record) === NONE) found.push(block);
  }
  return found;
}

function placeOf(session: OpenSession, block: number): ErrorPlace {
  const { table, graph } = session;
  const record = table.blocks.get("record", block);
  const agentId = (graph.threads[at(graph.threadOf, record)]?.agentId ?? null) as AgentId | null;
  const through = agentId === null ? chooseBranch(session, { branch: null, agent: null }, record) : null;
  const isActive = through === null || through === graph.branches[0]?.[0];
  const call = table.blocks.get("kind", block) === BlockKind.call ? table.blocks.get("call", block) : NONE;
  return {
    recordId: session.recordId(record),
    agentId,
    branch: isActive ? null : branchId(session, through),
    tool: call === NONE ? null : (table.tools.at(table.calls.get("tool", call)) ?? null),
    atMs: timeOf(table, record),
  };
}
