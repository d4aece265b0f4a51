import { atOnce } from "@/lib/format/in-steps";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { asString } from "@/lib/log/records/json";
import { RequestAssembly, type SentPart } from "@/lib/log/request/assemble";
import { boundaryOf, planRequest } from "@/lib/log/request/request-plan";
import {
  buildRequestIndex,
  danglingTop,
  isAnswer,
  isApiError,
  type RequestIndex,
  walkChain,
} from "@/lib/log/request/walk-chain";
import { promptOf } from "@/lib/log/rows/turn-row";
import { RecordKind } from "@/lib/log/table/kinds";
import { inSlices } from "@/lib/server/runtime/slices";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";

const NONE = -1;
const indexOf = new WeakMap<SessionGraph, RequestIndex>();

/** The index of a session's table, built on first use and kept until something is added to the table. */
export function requestIndex({ table, graph }: OpenSession): RequestIndex {
  const known = indexOf.get(graph) ?? atOnce(buildRequestIndex(table));
  indexOf.set(graph, known);
  return known;
}

/** The same, made in slices where it is not there yet. */
export async function requestIndexInSlices({ table, graph }: OpenSession): Promise<RequestIndex> {
  const known = indexOf.get(graph) ?? (await inSlices(buildRequestIndex(table)));
  indexOf.set(graph, known);
  return known;
}

/** A record of a session that may be another than the requested one. */
export type SessionRecordRef = { session: OpenSession; record: number };

/**
 * Finds the line with this uuid in the session that another one continues, null if there is none. 2.0.0 may continue
 * in a new file: its lines carry the old session's id, and its first line has a line there as its parent.
 */
export type FindEarlier = (session: OpenSession, uuid: string) => Promise<SessionRecordRef | null>;

/** Maximum number of sessions that continue one another: two that each name the other must end. */
const MAX_SESSIONS = 64;

const NOTHING_EARLIER: FindEarlier = async () => null;

/** The first line of the previous answer in this record's request, null if there is none. */
export async function requestBefore(
  session: OpenSession,
  target: number,
  findEarlier = NOTHING_EARLIER,
): Promise<SessionRecordRef | null> {
  let at: SessionRecordRef | null = { session, record: target };
  for (let sessions = 0; at && sessions < MAX_SESSIONS; sessions++) {
    const { table } = at.session;
    const chain = walkChain(table, requestIndex(at.session), at.record, sessions > 0);
    const above = chain.findLast((record) => isAnswer(table, record) && !isApiError(table, record));
    const found = above ?? lastBeforeBoundary(at.session, chain[0]);
    if (found !== NONE) return { session: at.session, record: found };
    at = await earlierRecord(at.session, at.record, findEarlier);
  }
  return null;
}

/** Where a walk up from a record continues in the session that its own continues, null where it ends. */
async function earlierRecord(
  session: OpenSession,
  record: number,
  findEarlier: FindEarlier,
): Promise<SessionRecordRef | null> {
  const top = danglingTop(session.table, requestIndex(session), record);
  if (top === NONE) return null;
  const line = (await readRecords(session, [top], 512))(top);
  if (!line || line.kind === "unreadable" || line.parentUuid === null) return null;
  const earlier = await findEarlier(session, line.parentUuid);
  return earlier?.session === session ? null : earlier;
}

/** After a compaction the previous answer is the one before the boundary. */
function lastBeforeBoundary({ table, graph }: OpenSession, boundary: number | undefined): number {
  if (boundary === undefined || table.records.kind.at(boundary) !== RecordKind.compactBoundary) return NONE;
  const seen = new Set<number>();
  for (
    let record = graph.parents[boundary] ?? NONE;
    record !== NONE && !seen.has(record);
    record = graph.parents[record] ?? NONE
  ) {
    if (isAnswer(table, record) && !isApiError(table, record)) return record;
    seen.add(record);
  }
  return NONE;
}

/** So many bytes of lines are read and held at once. */
const MAX_WINDOW_BYTES = 2 << 20;

/**
 * The parts of the request that led to a record, rebuilt from the session's records by reading each whole. Messages from
 * a session that this one continues come first, and refer to no record of this one.
 */
export async function rebuildRequest(
  session: OpenSession,
  target: number,
  findEarlier = NOTHING_EARLIER,
): Promise<SentPart[]> {
  const parts: SentPart[] = [];
  for await (const some of requestParts(session, target, false, findEarlier)) parts.push(...some);
  return parts;
}

/**
 * As `rebuildRequest`, the parts of the request that would follow a record: an answer is one of them. A group at a time:
 * of a long conversation only the lines of one group are in memory.
 */
export async function* nextRequestParts(
  session: OpenSession,
  last: number,
  findEarlier = NOTHING_EARLIER,
): AsyncGenerator<SentPart[]> {
  yield* requestParts(session, last, true, findEarlier);
}

/** With what the sessions that this one continues have before the parts of its own. */
async function* requestParts(
  session: OpenSession,
  target: number,
  withAnswer: boolean,
  findEarlier: FindEarlier,
): AsyncGenerator<SentPart[]> {
  const before: SessionRecordRef[] = [];
  let at = await earlierRecord(session, target, findEarlier);
  for (let sessions = 0; at && sessions < MAX_SESSIONS; sessions++) {
    before.push(at);
    at = await earlierRecord(at.session, at.record, findEarlier);
  }
  for (const earlier of before.reverse())
    for await (const parts of ownParts(earlier.session, earlier.record, true))
      yield parts.map((part) => ({ ...part, record: NONE }));
  yield* ownParts(session, target, withAnswer);
}

async function* ownParts(
  session: OpenSession,
  target: number,
  withAnswer: boolean,
): AsyncGenerator<SentPart[]> {
  const { table, graph } = session;
  const index = requestIndex(session);
  const boundary = boundaryOf(table, index, target);
  const readBoundary = await readRecords(session, [boundary]);
  const plan = planRequest(table, graph, index, target, { boundary: readBoundary(boundary), withAnswer });
  const caller =
    plan.caller === null || plan.caller === NONE
      ? NONE
      : table.blocks.record.at(table.calls.use.at(plan.caller));
  const readBeside = await readRecords(session, [caller, ...plan.queued]);
  const queued = plan.queued.map((record) => promptOf(readBeside(record)));
  const { sent, answer, cut } = plan;
  const assembly = new RequestAssembly({ table, sent, answer, opening: openingOf(), queued, cut });
  for (const window of windowsOf(session, assembly.records)) {
    const read = await readRecords(session, window);
    const parts = window.flatMap((record) => assembly.take(record, read(record)));
    if (parts.length > 0) yield parts;
  }
  yield assembly.rest();

  function openingOf(): string | null {
    if (plan.caller === null) return null;
    const line = readBeside(caller);
    const blockIndex = plan.caller === NONE ? NONE : table.blocks.index.at(table.calls.use.at(plan.caller));
    const block = line?.kind === "assistant" ? line.blocks[blockIndex] : undefined;
    // An agent that no call started is the client warming up its cache.
    return block?.kind === "tool-use" ? (asString(block.input.prompt) ?? "") : "Warmup";
  }
}

/** Records in groups of so many bytes, or one record. */
function* windowsOf({ table }: OpenSession, records: readonly number[]): Generator<number[]> {
  let window: number[] = [];
  let bytes = 0;
  for (const record of records) {
    const length = table.records.length.at(record);
    if (window.length > 0 && bytes + length > MAX_WINDOW_BYTES) {
      yield window;
      [window, bytes] = [[], 0];
    }
    window.push(record);
    bytes += length;
  }
  if (window.length > 0) yield window;
}
