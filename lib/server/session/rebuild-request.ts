import { asString } from "@/lib/records/json";
import { RecordKind } from "@/lib/thread/kinds";
import { assembleParts, type SentPart } from "@/lib/thread/request/assemble";
import { buildRequestIndex, type RequestIndex } from "@/lib/thread/request/request-index";
import { boundaryOf, planRequest } from "@/lib/thread/request/request-plan";
import { isAnswer, isApiError, walkChain } from "@/lib/thread/request/walk-chain";
import { promptOf } from "@/lib/thread/rows/turn-row";
import type { SessionGraph } from "@/lib/thread/session-graph";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const NONE = -1;
const indexOf = new WeakMap<SessionGraph, RequestIndex>();

/** The index of a session's table, made on first need and kept as long as nothing is added to it. */
export function requestIndex({ table, graph }: OpenSession): RequestIndex {
  const known = indexOf.get(graph) ?? buildRequestIndex(table);
  indexOf.set(graph, known);
  return known;
}

/** The first line of the answer that stands before this record in its request, -1 if there is none. */
export function requestBefore(session: OpenSession, target: number): number {
  const { table } = session;
  const chain = walkChain(table, requestIndex(session), target);
  const above = chain.findLast((record) => isAnswer(table, record) && !isApiError(table, record));
  return above ?? lastBeforeBoundary(session, chain[0]);
}

/** Behind a compaction the answer before is the one that the boundary follows. */
function lastBeforeBoundary({ table, graph }: OpenSession, boundary: number | undefined): number {
  if (boundary === undefined || table.records.get("kind", boundary) !== RecordKind.compactBoundary)
    return NONE;
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

/**
 * The parts of the request that led to a record, rebuilt from the session's records by reading each
 * whole; `withAnswer` of the request that would follow an answer.
 */
export async function rebuildRequest(
  session: OpenSession,
  target: number,
  withAnswer = false,
): Promise<SentPart[]> {
  const { table, graph } = session;
  const index = requestIndex(session);
  const boundary = boundaryOf(table, index, target);
  const readBoundary = await readRecords(session, [boundary]);
  const plan = planRequest(table, graph, index, target, readBoundary(boundary), withAnswer);
  const caller =
    plan.caller === null || plan.caller === NONE
      ? NONE
      : table.blocks.get("record", table.calls.get("use", plan.caller));
  const read = await readRecords(session, [...plan.sent, plan.answer, caller, ...plan.queued]);
  const queued = plan.queued.map((record) => promptOf(read(record)));
  return assembleParts({ table, sent: plan.sent, answer: plan.answer, read, opening: openingOf(), queued });

  function openingOf(): string | null {
    if (plan.caller === null) return null;
    const line = read(caller);
    const place =
      plan.caller === NONE ? NONE : table.blocks.get("index", table.calls.get("use", plan.caller));
    const block = line?.kind === "assistant" ? line.blocks[place] : undefined;
    // An agent that nobody called is the client warming up its cache.
    return block?.kind === "tool-use" ? (asString(block.input.prompt) ?? "") : "Warmup";
  }
}
