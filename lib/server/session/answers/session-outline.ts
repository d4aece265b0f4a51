import { addTo } from "@/lib/format/lists";
import { firstWords } from "@/lib/format/text";
import type { Branch } from "@/lib/log/graph/branches";
import type { Path } from "@/lib/log/graph/session-graph";
import { asNumber, asObject } from "@/lib/log/records/json";
import { isErrorBlock, RowKind, type RowList } from "@/lib/log/rows/flatten";
import { marksOf, type RowContext, timeOf } from "@/lib/log/rows/row-context";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import { BlockKind, Flag, isDenied, isFailure, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { AgentId } from "@/lib/wire/ids";
import type { ErrorsQuery, OutlineQuery } from "@/lib/wire/requests/threads";
import type { ErrorPlace, ErrorsResponse, OutlineEntry, OutlineResponse } from "@/lib/wire/session";
import type { OpenSession } from "../open-session";
import { chooseBranch, firstThread, idOfBranch } from "./branch-entries";
import { contextFor, foldsOf, rowList } from "./session-rows";

const MAX_PROMPT = 120;

/** One entry for each turn of a branch, with the row of its prompt. */
export async function outlineOf(session: OpenSession, query: OutlineQuery): Promise<OutlineResponse> {
  const branch = chooseBranch(session, { ...query, agent: null }, null);
  if (!branch) return { revision: session.revision, total: 0, from: 0, turns: [] };
  const folds = foldsOf(query.fold, query.runs);
  const list = rowList(session, branch, query.detail, folds);
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
  const agents = agentsByTurn(session, branch, path);
  return {
    revision: session.revision,
    total,
    from: query.from,
    turns: numbers.map((number) => ({
      ...outlineEntry(context, session, number, rowOfTurn.get(number) ?? 0),
      agentIds: agents.get(number) ?? [],
    })),
  };
}

function outlineEntry(
  context: RowContext,
  session: OpenSession,
  number: number,
  row: number,
): Omit<OutlineEntry, "agentIds"> {
  const turn = context.path.turns[number] ?? context.path.turns[0];
  if (!turn) throw new Error(`Turn ${number} is not on this path`);
  const { toolCalls, errors, denied, added, removed, agents, compactedBefore } = turn;
  const boundary = compactedBefore === -1 ? null : context.read(compactedBefore);
  const prompt = context.read(promptRecord(context, turn.record));
  const metadata = boundary?.kind === "system" ? asObject(boundary.json.compactMetadata) : null;
  return {
    turn: number,
    recordId: session.recordId(turn.record),
    row,
    prompt: firstWords(promptTitle(prompt), MAX_PROMPT),
    atMs: timeOf(session.table, turn.record),
    toolCalls,
    errors,
    denied,
    added,
    removed,
    agents,
    ...marksOf(prompt),
    compactedBefore: boundary
      ? { preTokens: asNumber(metadata?.preTokens), postTokens: asNumber(metadata?.postTokens) }
      : null,
  };
}

/**
 * The agents that a branch's calls started, by the turn of the call. Others, of an abandoned branch, may have run
 * meanwhile.
 */
function agentsByTurn(session: OpenSession, branch: Branch, { turns }: Path): ReadonlyMap<number, AgentId[]> {
  const { calls, blocks } = session.table;
  const started = session.graph.threads.flatMap(({ agentId, call, internal }) => {
    const use = call === NONE || internal ? NONE : calls.use.at(call);
    const position = use === NONE ? NONE : session.positionOn(branch, blocks.record.at(use));
    return position === NONE || agentId === null ? [] : [{ position, agentId }];
  });
  const found = new Map<number, AgentId[]>();
  let turn = 0;
  for (const { position, agentId } of started.sort((a, b) => a.position - b.position)) {
    while ((turns[turn + 1]?.from ?? Number.POSITIVE_INFINITY) <= position) turn += 1;
    addTo(found, turn, agentId);
  }
  return found;
}

function turnRows(list: RowList): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < list.count; row++)
    if (at(list.kind, row) === RowKind.turn) rows.set(at(list.turn, row), row);
  return rows;
}

const NONE = -1;
const MAX_ROWS = 20_000;
const MAX_POSITIONS = 50;

/** Where a thread's errors are: in its visible rows, hidden in them, and in the session's other threads. */
export function errorsOf(session: OpenSession, query: ErrorsQuery): ErrorsResponse {
  const { revision } = session;
  const branch = chooseBranch(session, query, null);
  if (!branch)
    return { revision, rows: [], denied: 0, hidden: 0, elsewhere: 0, places: [], edits: [], forks: [] };
  const list = rowList(session, branch, query.detail, foldsOf(query.fold, query.runs));
  const errors = errorBlocks(session);
  const isKnown = new Uint8Array(session.table.blocks.size);
  for (const block of errors) isKnown[block] = 1;
  const rows: number[] = [];
  const edits: number[] = [];
  const forks: number[] = [];
  const { kind, of, count } = list;
  const { block, run, fork, endFork } = RowKind;
  const changes = changingBlocks(session);
  // A function call for each row would be most of the cost.
  for (let row = 0; row < count; row++) {
    const is = kind[row];
    const first = of[row] ?? 0;
    if (is === block && isKnown[first] === 1) rows.push(row);
    if ((is === block || is === run) && changes[first] === 1) edits.push(row);
    else if (is === fork || is === endFork) forks.push(row);
  }
  const isOnBranch = (block: number) =>
    session.positionOn(branch, session.table.blocks.record.at(block)) !== NONE;
  const onPath = errors.filter(isOnBranch).length;
  const others = errors.filter((block) => !isOnBranch(block) && !isInternal(session, block));
  return {
    revision,
    rows: rows.slice(0, MAX_ROWS),
    denied: rows.filter((row) => isRefused(session, of[row] ?? 0)).length,
    hidden: onPath - rows.length,
    elsewhere: others.length,
    places: others.slice(0, MAX_POSITIONS).map((block) => toErrorPlace(session, block)),
    edits: edits.slice(0, MAX_ROWS),
    forks: forks.slice(0, MAX_ROWS),
  };
}

/** Block → 1 for a call that changed a file. */
function changingBlocks({ table: { calls, blocks } }: OpenSession): Uint8Array {
  const found = new Uint8Array(blocks.size);
  const { path, use } = calls;
  for (let call = 0; call < calls.size; call++)
    if (path.at(call) !== NONE && use.at(call) !== NONE) found[use.at(call)] = 1;
  return found;
}

/** The blocks that are errors, in the order of the logs, found from the calls and records that can be errors. */
function errorBlocks(session: OpenSession): number[] {
  const { table, graph } = session;
  const { calls, records } = table;
  const found: number[] = [];
  for (let call = 0; call < calls.size; call++) {
    const use = table.isCopy(call) ? NONE : calls.use.at(call);
    if (use !== NONE && isFailure(calls.state.at(call)) && isErrorBlock(table, graph, use)) found.push(use);
  }
  for (let record = 0; record < records.size; record++) {
    const isBroken = records.kind.at(record) === RecordKind.unreadable;
    if (!isBroken && (records.flags.at(record) & Flag.apiError) === 0) continue;
    for (const block of blocksOf(table, record)) if (isErrorBlock(table, graph, block)) found.push(block);
  }
  const recordOf = (block: number) => table.blocks.record.at(block);
  return [...new Set(found)].sort((a, b) => session.compareRecords(recordOf(a), recordOf(b)) || a - b);
}

function isRefused({ table: { blocks, calls } }: OpenSession, block: number): boolean {
  const call = blocks.kind.at(block) === BlockKind.call ? blocks.call.at(block) : NONE;
  return call !== NONE && isDenied(calls.state.at(call));
}

/** Whether a block is in an internal thread of the client, which is not shown. */
function isInternal({ table, graph }: OpenSession, block: number): boolean {
  return graph.threads[at(graph.threadOf, table.blocks.record.at(block))]?.internal ?? false;
}

function toErrorPlace(session: OpenSession, block: number): ErrorPlace {
  const { table, graph } = session;
  const record = table.blocks.record.at(block);
  const agentId = graph.threads[at(graph.threadOf, record)]?.agentId ?? null;
  const through = agentId === null ? chooseBranch(session, { branch: null, agent: null }, record) : null;
  const isActive = through === null || through === graph.branches[firstThread(session)]?.[0];
  const call = table.blocks.kind.at(block) === BlockKind.call ? table.blocks.call.at(block) : NONE;
  return {
    recordId: session.recordId(record),
    agentId,
    branch: isActive ? null : idOfBranch(session, through),
    tool: call === NONE ? null : (table.tools.at(table.calls.tool.at(call)) ?? null),
    atMs: timeOf(table, record),
  };
}
