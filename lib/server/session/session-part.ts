import { branchNumbers, branchThrough } from "@/lib/log/graph/branch-points";
import type { Branch } from "@/lib/log/graph/branches";
import { PartMerging, type SentPart } from "@/lib/log/request/assemble";
import { RecordKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { BranchId, RecordId } from "@/lib/wire/ids";
import type { ApiMessage } from "@/lib/wire/model-requests/messages";
import { firstThread, idOfBranch, lastNode } from "./answers/branch-entries";
import type { OpenSession } from "./open-session";
import { type FindEarlier, nextRequestParts } from "./request/rebuild-request";

const NONE = -1;

/** Turns by their numbers on a branch, both ends included. */
export type Turns = { from: number; to: number };

/** Records of the session's own thread: all from one to another, both included, or these. */
export type WantedRecords = { from: RecordId; to: RecordId } | readonly RecordId[];

/** The requested part of a session. `branch`: its id, or its number as the page shows it; `null` is the active one. */
export type PartQuery = {
  branch: BranchId | number | null;
  turns: Turns | null;
  records: WantedRecords | null;
};

/**
 * The same, looked up, with the branch's number on the page, and its number of turns. If `records` were chosen: those
 * and the ones that belong to them, and `turns` are the turns that contain them.
 */
export type SessionPart = {
  branch: BranchId | null;
  number: number;
  turns: Turns | null;
  turnsOfBranch: number;
  records: ReadonlySet<RecordId> | null;
};

/** The whole active branch. */
export const WHOLE_THREAD: PartQuery = { branch: null, turns: null, records: null };

/**
 * The part of a session that a query names. Throws ViewerErrors that say what there is: `branch-not-found`,
 * `turns-not-found`, `record-not-found`, and `no-parts` for a session whose own log is gone.
 */
export function partOf(session: OpenSession, query: PartQuery): SessionPart {
  const { branch: wanted, turns, records } = query;
  if (session.files.main.gone) {
    if (wanted === null && turns === null && records === null)
      return { branch: null, number: 0, turns, turnsOfBranch: 0, records };
    throw new ViewerError("no-parts", "The log of this session itself is gone: only its agents are left", {
      status: 400,
      hint: "Ask for it without a branch, turns and records.",
    });
  }
  const branch = branchOf(session, wanted);
  const turnsOfBranch = branch ? session.path(branch).turns.length - 1 : 0;
  if (turns !== null && (turns.from > turns.to || turns.to > turnsOfBranch))
    throw new ViewerError("turns-not-found", `There are no turns ${turns.from}-${turns.to} on this branch`, {
      status: 400,
      hint:
        turnsOfBranch === 0
          ? "It has no turns: leave them out."
          : `Allowed are turns from 1 to ${turnsOfBranch}, like ${turnsOfBranch === 1 ? "1" : `1-${turnsOfBranch}`}.`,
    });
  const number = branch ? (numbersOf(session).get(branch.leaf) ?? 0) : 0;
  const part = {
    branch: wanted === null || !branch ? null : idOfBranch(session, branch),
    number,
    turnsOfBranch,
  };
  if (records === null || !branch) return { ...part, turns, records: null };
  const chosen = recordsAsked(session, branch, records);
  const places = [...recordsOfPart(session, { branch: part.branch, turns, records: chosen })];
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) throw elsewhere();
  return { ...part, turns: { from: first.turn, to: last.turn }, records: chosen };
}

/** Records of a branch with those that belong to them: a call with its results, a compaction with its summary. */
function recordsAsked(session: OpenSession, branch: Branch, asked: WantedRecords): ReadonlySet<RecordId> {
  const { table } = session;
  const { records: path } = session.path(branch);
  const positionOf = (id: RecordId) => {
    const position = session.positionOn(branch, session.find(id));
    if (position === NONE) throw elsewhere();
    return position;
  };
  let chosen: Iterable<number>;
  if ("from" in asked) {
    const [from, to] = [positionOf(asked.from), positionOf(asked.to)];
    chosen = path.subarray(Math.min(from, to), Math.max(from, to) + 1);
  } else chosen = asked.map((id) => at(path, positionOf(id)));
  const found = new Set(chosen);
  const summaries = summariesOf(session, path);
  for (const record of [...found]) {
    for (const block of blocksOf(table, record)) {
      const call = table.blocks.call.at(block);
      const result = call === NONE ? NONE : table.calls.result.at(call);
      if (result !== NONE) found.add(table.blocks.record.at(result));
    }
    const summary = summaries.get(record);
    if (summary !== undefined) found.add(summary);
  }
  return new Set(Array.from(found, (record) => session.recordId(record)));
}

/** Compaction boundaries of a branch → the summary that follows before the next one. */
function summariesOf({ table, graph }: OpenSession, path: Int32Array): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let summary = NONE;
  for (let position = path.length - 1; position >= 0; position--) {
    const record = at(path, position);
    const kind = table.records.kind.at(record);
    if (kind === RecordKind.compactSummary) summary = record;
    if (kind !== RecordKind.compactBoundary) continue;
    if (summary !== NONE) found.set(record, summary);
    if (!graph.duplicates.has(record)) summary = NONE;
  }
  return found;
}

function elsewhere(): ViewerError {
  return new ViewerError("record-not-found", "These records do not stand on this branch", {
    status: 400,
    hint: "Name records of one branch, and that branch if it is not the active one, without turns that hold none of them.",
  });
}

/** The records of a part in reading order, with the turn of each. Bookkeeping lines of a step stay with it. */
export function* recordsOfPart(
  session: OpenSession,
  { branch: id, turns, records }: Pick<SessionPart, "branch" | "turns" | "records">,
): Generator<{ record: number; turn: number }> {
  const branch = branchOf(session, id);
  if (!branch) return;
  const path = session.path(branch);
  let turn = 0;
  for (let position = 0; position < path.records.length; position++) {
    while (path.turns[turn + 1]?.from === position) turn += 1;
    if (turns && turn > turns.to) return;
    const record = at(path.records, position);
    if (turns && turn < turns.from) continue;
    if (!records || records.has(session.recordId(record))) yield { record, turn };
  }
}

/**
 * The messages of a part: what would be sent next if the conversation continued after it, from its first turn on. They
 * are made as they are read: of a long conversation never more than a few megabytes are in memory.
 */
export async function* messagesOfPart(
  session: OpenSession,
  query: PartQuery,
  findEarlier: FindEarlier,
): AsyncGenerator<ApiMessage> {
  const { turns } = partOf(session, query);
  const paired = turns && (await idsOf(partsOfPart(session, query, findEarlier)));
  const merging = new PartMerging();
  for await (const part of partsOfPart(session, query, findEarlier)) {
    const complete = merging.take(paired ? pairedOf(part, paired) : part);
    if (complete) yield complete.message;
  }
  const last = merging.rest();
  if (last) yield last.message;
}

async function* partsOfPart(
  session: OpenSession,
  query: PartQuery,
  findEarlier: FindEarlier,
): AsyncGenerator<SentPart> {
  const { turns, records } = partOf(session, query);
  const branch = branchOf(session, query.branch);
  if (!branch) return;
  const isChosen = (record: number) => !records || (record !== NONE && records.has(session.recordId(record)));
  const last = turns ? lastSent(session, branch, turns.to, isChosen) : lastNode(session, branch);
  const from = (turns && session.path(branch).turns[turns.from]?.from) ?? 0;
  const end = (turns && session.path(branch).turns[turns.to + 1]?.from) ?? Number.POSITIVE_INFINITY;
  const isBefore = (record: number) => record !== NONE && session.positionOn(branch, record) < from;
  // The results of a call are sent with it, even if a prompt that was typed meanwhile is between them.
  const isAfter = (record: number) => record !== NONE && session.positionOn(branch, record) >= end;
  // Messages that the client sent and did not log go with what follows them; what a compaction kept comes after that.
  let hasBegun = from === 0;
  for await (const parts of nextRequestParts(session, last, findEarlier))
    for (const part of parts) {
      const { record } = part;
      hasBegun ||= record !== NONE && !isBefore(record);
      if (hasBegun && !isBefore(record) && !isAfter(record) && isChosen(record)) yield part;
    }
}

/** The ids of the calls, and of the calls that results answer, in some parts. */
type PairedIds = { uses: ReadonlySet<unknown>; results: ReadonlySet<unknown> };

async function idsOf(parts: AsyncIterable<SentPart>): Promise<PairedIds> {
  const uses = new Set<unknown>();
  const results = new Set<unknown>();
  for await (const { message } of parts)
    for (const { type, id, tool_use_id: of } of message.content) {
      if (type === "tool_use") uses.add(id);
      else if (type === "tool_result") results.add(of);
    }
  return { uses, results };
}

/**
 * Removes calls and results without their counterpart: a prompt that was typed while a call ran begins a turn before
 * its result.
 */
function pairedOf({ message: { role, content }, ...part }: SentPart, { uses, results }: PairedIds): SentPart {
  const kept = content.filter(({ type, id, tool_use_id: of }) =>
    type === "tool_use" ? results.has(id) : type !== "tool_result" || uses.has(of),
  );
  return { ...part, message: { role, content: kept } };
}

/** The last chosen record up to the end of a turn that is a line of the conversation. */
function lastSent(
  session: OpenSession,
  branch: Branch,
  turn: number,
  isChosen: (record: number) => boolean,
): number {
  const { records, turns } = session.path(branch);
  const { table } = session;
  const from = turns[turn]?.from ?? 0;
  for (let position = (turns[turn + 1]?.from ?? records.length) - 1; position >= from; position--) {
    const record = at(records, position);
    const isAnswer = table.records.message.at(record) !== NONE;
    if (!isChosen(record)) continue;
    if (isAnswer || table.types.at(table.records.type.at(record)) === "user") return record;
  }
  return at(records, from);
}

function numbersOf(session: OpenSession): ReadonlyMap<number, number> {
  return branchNumbers(session.graph, firstThread(session));
}

/** The branch of an id, which may be any record that it leads through, or of a number. Throws `branch-not-found`. */
export function branchOf(session: OpenSession, wanted: string | number | null): Branch | null {
  const thread = firstThread(session);
  const branches = session.graph.branches[thread] ?? [];
  if (wanted === null) return branches[0] ?? null;
  const numbers = numbersOf(session);
  const found =
    typeof wanted === "number"
      ? branches.find(({ leaf }) => numbers.get(leaf) === wanted)
      : branchThrough(session.graph, thread, at(session.graph.steps.of, session.find(wanted)));
  if (found) return found;
  throw new ViewerError("branch-not-found", `This session has no branch ${wanted}`, {
    status: 400,
    hint:
      branches.length === 1
        ? "It has one branch: leave it out."
        : `Allowed are the numbers from 1 to ${branches.length}, as the page shows them, and a branch’s id, as in the page’s address.`,
  });
}
