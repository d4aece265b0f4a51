import { baseTokens, startTokens } from "@/lib/log/requests/base-tokens";
import { type CacheMiss, cacheMisses } from "@/lib/log/requests/cache-misses";
import { listRequests, type SentRequest } from "@/lib/log/requests/request-list";
import { RecordKind } from "@/lib/log/table/kinds";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { inSlices } from "@/lib/server/runtime/slices";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { requestIndexInSlices } from "@/lib/server/session/request/rebuild-request";
import type { LibraryMiss } from "@/lib/wire/usage";
import { LoggedRequests } from "./logged-differences";
import { type MeasuredRecords, measureRecords } from "./session-sizes";

const NONE = -1;

/** A session's requests, and which of them missed the cache, at the same places. */
export type FoundMisses = { requests: SentRequest[]; misses: (CacheMiss | null)[] };

/**
 * Finds the requests that missed the cache. Only few lines of the logs are read: compactions, and for each miss the
 * answers in question and the beginning of their conversation.
 * @param known what was read before: the client's own log of requests, and the sizes of the whole session
 */
export async function findMisses(
  session: OpenSession,
  known?: { logged: LoggedRequests | null; sizes: MeasuredRecords },
): Promise<FoundMisses> {
  const { table, graph } = session;
  const { records } = table;
  const boundaries: number[] = [];
  for (let record = 0; record < graph.parents.length; record++)
    if (records.kind.at(record) === RecordKind.compactBoundary) boundaries.push(record);
  const index = await requestIndexInSlices(session);
  const read = await readRecords(session, boundaries);
  const requests = await inSlices(listRequests(table, graph, index, read));
  const prices = pricesInUse().table;
  // The few requests whose beginning, or whose log, must be known.
  const asked = new Set<number>();
  const noteBase = (nth: number) => {
    asked.add(nth);
    return 0;
  };
  const isLogged = LoggedRequests.areIn(session);
  const noteCompared = (before: number, nth: number) => {
    if (isLogged) asked.add(before).add(nth);
    return undefined;
  };
  const found = await inSlices(cacheMisses(table, requests, prices, noteBase, noteCompared));
  if (asked.size === 0) return { requests, misses: found };
  const logged = known ? known.logged : await LoggedRequests.of(session);
  const { blocks, refs } = known?.sizes ?? (await measureAsked(session, requests, asked, isLogged));
  const refOf = (nth: number) => refs.get(requests[nth]?.record ?? NONE) ?? null;
  const starts = startTokens(table, requests, blocks);
  const baseOf = (nth: number) =>
    baseTokens(table, requests[nth] as SentRequest, starts[nth] ?? 0, logged?.preamble(refOf(nth)) ?? null);
  const compare = (before: number, nth: number) =>
    logged?.compare(refOf(before), refOf(nth), requests[nth]?.record ?? NONE);
  const misses = await inSlices(cacheMisses(table, requests, prices, baseOf, compare));
  return { requests, misses };
}

/** The misses of a session, as a list over all sessions shows them. */
export async function listMisses(session: OpenSession): Promise<LibraryMiss[]> {
  const { table, graph } = session;
  const { requests, misses } = await findMisses(session);
  return misses.flatMap((miss, nth): LibraryMiss[] => {
    const request = requests[nth];
    if (!miss || !request) return [];
    const { message, record, thread } = request;
    const atMs = table.messages.atMs.at(message);
    return [
      {
        recordId: session.recordId(record),
        key: table.messageIds.wordsOf(message),
        agentId: graph.threads[thread]?.agentId ?? null,
        atMs: Number.isNaN(atMs) ? null : atMs,
        model: table.models.at(table.messages.model.at(message)) ?? "",
        cause: miss.cause,
        lostTokens: miss.lostTokens,
        microUsd: miss.microUsd,
        exact: miss.exact,
      },
    ];
  });
}

/**
 * Measures the beginnings of these requests' conversations and, if requests are logged, the first lines of their
 * answers.
 */
async function measureAsked(
  session: OpenSession,
  requests: readonly SentRequest[],
  asked: ReadonlySet<number>,
  isLogged: boolean,
): Promise<MeasuredRecords> {
  const passed = new Set<number>();
  const wanted: number[] = [];
  for (const nth of asked) {
    if (isLogged) wanted.push((requests[nth] as SentRequest).record);
    // Parents may form a circle.
    for (let at = nth; at !== NONE && !passed.has(at); ) {
      passed.add(at);
      const { before, added } = requests[at] as SentRequest;
      if (before === NONE) for (const record of added) wanted.push(record);
      at = before;
    }
  }
  const measured: MeasuredRecords = { blocks: {}, refs: new Map() };
  await measureRecords(session, wanted, measured);
  return measured;
}
