import { asString } from "@/lib/log/records/json";
import { measureBlocks } from "@/lib/log/requests/block-sizes";
import { type CacheMiss, cacheMisses } from "@/lib/log/requests/cache-misses";
import { baseTokens, startTokens } from "@/lib/log/requests/context-parts";
import { listRequests, type SentRequest } from "@/lib/log/requests/request-list";
import { RecordKind } from "@/lib/log/table/kinds";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { requestIndex } from "@/lib/server/session/request/rebuild-request";
import type { LibraryMiss } from "@/lib/wire/usage";
import { LoggedRequests } from "./logged-differences";

const NONE = -1;
/** Longer strings are not looked at: their size is all that counts. */
const KEEP_BYTES = 128;

/**
 * A session's requests, and which of them missed the cache, at the same places. `refOf`: the id of a request in the
 * client's own log, known of those that missed and what they are compared with.
 */
export type FoundMisses = {
  requests: SentRequest[];
  misses: (CacheMiss | null)[];
  logged: LoggedRequests | null;
  refOf: (request: number) => string | null;
};

/** Finds the requests that missed. Of the logs only few lines are read: what conversations begin with, and compactions. */
export async function findMisses(session: OpenSession): Promise<FoundMisses> {
  const { table, graph } = session;
  const { records } = table;
  const boundaries: number[] = [];
  for (let record = 0; record < graph.parents.length; record++)
    if (records.kind.at(record) === RecordKind.compactBoundary) boundaries.push(record);
  const requests = listRequests(table, graph, requestIndex(session), await readRecords(session, boundaries));
  const starts = startTokens(table, requests, await firstSizes(session, requests));
  const logged = await LoggedRequests.of(session);
  const prices = pricesInUse().table;
  const asked = new Set<number>();
  const ask = (...those: number[]) => {
    for (const nth of those) asked.add(requests[nth]?.record ?? NONE);
    return undefined;
  };
  // Which requests may have missed does not depend on what the client logged, and few of them have.
  if (logged) cacheMisses(table, requests, prices, (nth) => ask(nth) ?? 0, ask);
  const refs = await refsOf(session, asked);
  const refOf = (nth: number) => refs.get(requests[nth]?.record ?? NONE) ?? null;
  const misses = cacheMisses(
    table,
    requests,
    prices,
    (nth) =>
      baseTokens(table, requests[nth] as SentRequest, starts[nth] ?? 0, logged?.preamble(refOf(nth)) ?? null),
    (before, nth) => logged?.compare(refOf(before), refOf(nth), requests[nth]?.record ?? NONE),
  );
  return { requests, misses, logged, refOf };
}

/** The misses of a session, as a list over sessions tells of them. */
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
        agentId: (graph.threads[thread]?.agentId ?? null) as LibraryMiss["agentId"],
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

/** The sizes of what conversations begin with, by block: of what is sent later nothing here depends. */
async function firstSizes(
  { files, table }: OpenSession,
  requests: readonly SentRequest[],
): Promise<{ [block: number]: number }> {
  const first = requests.flatMap(({ before, added }) => (before === NONE ? added : []));
  // Only numbers are kept, so there is nothing to redact.
  const read = await readRecords({ files, table, redaction: null }, first, KEEP_BYTES, true);
  const sizes: { [block: number]: number } = {};
  for (const record of first) {
    const logged = read(record);
    if (logged) measureBlocks(table, record, logged, sizes);
  }
  return sizes;
}

/** The ids of the requests that these lines answer. */
async function refsOf(
  { files, table }: OpenSession,
  answers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const refs = new Map<number, string>();
  const read = await readRecords({ files, table, redaction: null }, answers, KEEP_BYTES);
  for (const record of answers) {
    const logged = read(record);
    const ref = logged?.kind === "assistant" ? asString(logged.json.requestRef) : null;
    if (ref !== null) refs.set(record, ref);
  }
  return refs;
}
