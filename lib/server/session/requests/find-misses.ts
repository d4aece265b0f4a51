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

/** A session's requests, and which of them missed the cache, at the same places. */
export type FoundMisses = { requests: SentRequest[]; misses: (CacheMiss | null)[] };

/**
 * Finds the requests that missed. Of the logs only few lines are read: compactions, and where something was missed the
 * answers in question and what their conversation begins with.
 * @param known the client's own log of requests, where it has been read
 */
export async function findMisses(session: OpenSession, known?: LoggedRequests | null): Promise<FoundMisses> {
  const { table, graph } = session;
  const { records } = table;
  const boundaries: number[] = [];
  for (let record = 0; record < graph.parents.length; record++)
    if (records.kind.at(record) === RecordKind.compactBoundary) boundaries.push(record);
  const requests = listRequests(table, graph, requestIndex(session), await readRecords(session, boundaries));
  const prices = pricesInUse().table;
  // Of which requests it has to be known how they began, or what was logged of them: of few.
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
  const found = cacheMisses(table, requests, prices, noteBase, noteCompared);
  if (asked.size === 0) return { requests, misses: found };
  const logged = known === undefined ? await LoggedRequests.of(session) : known;
  const refs = logged && (await refsOf(session, requests, asked));
  const refOf = (nth: number) => refs?.get(nth) ?? null;
  const starts = startTokens(table, requests, await firstSizes(session, requests, asked));
  const misses = cacheMisses(
    table,
    requests,
    prices,
    (nth) =>
      baseTokens(table, requests[nth] as SentRequest, starts[nth] ?? 0, logged?.preamble(refOf(nth)) ?? null),
    (before, nth) => logged?.compare(refOf(before), refOf(nth), requests[nth]?.record ?? NONE),
  );
  return { requests, misses };
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

/** The sizes of what the conversations of these requests begin with, by block. */
async function firstSizes(
  { files, table }: OpenSession,
  requests: readonly SentRequest[],
  asked: ReadonlySet<number>,
): Promise<{ [block: number]: number }> {
  const passed = new Set<number>();
  const first: number[] = [];
  // Parents may stand in a circle.
  for (const nth of asked)
    for (let at = nth; at !== NONE && !passed.has(at); ) {
      passed.add(at);
      const { before, added } = requests[at] as SentRequest;
      if (before === NONE) first.push(...added);
      at = before;
    }
  // Only numbers are kept, so there is nothing to redact.
  const read = await readRecords({ files, table, redaction: null }, first, KEEP_BYTES, true);
  const sizes: { [block: number]: number } = {};
  for (const record of first) {
    const logged = read(record);
    if (logged) measureBlocks(table, record, logged, sizes);
  }
  return sizes;
}

/** The ids of these requests in the client's log, which the first lines of their answers have. */
async function refsOf(
  { files, table }: OpenSession,
  requests: readonly SentRequest[],
  asked: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const refs = new Map<number, string>();
  const recordOf = (nth: number) => requests[nth]?.record ?? NONE;
  const read = await readRecords({ files, table, redaction: null }, [...asked].map(recordOf), KEEP_BYTES);
  for (const nth of asked) {
    const logged = read(recordOf(nth));
    const ref = logged?.kind === "assistant" ? asString(logged.json.requestRef) : null;
    if (ref !== null) refs.set(nth, ref);
  }
  return refs;
}
