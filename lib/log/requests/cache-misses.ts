import type { PricedTokens, PriceTable } from "@/lib/cost/price-table";
import { endsStep, type InSteps } from "@/lib/format/in-steps";
import { requestOf } from "@/lib/log/graph/session-cost";
import { contextTokens, firstPass, lastPass } from "@/lib/log/table/message-tokens";
import { Terms } from "@/lib/log/table/session-columns";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { MissCause, MissDifference } from "@/lib/wire/model-requests/session-requests";
import type { SentRequest } from "./request-list";

const NONE = -1;

/** Fewer tokens are never cached on their own, so losing fewer is no miss. */
const MIN_LOST_TOKENS = 1024;
/**
 * Where no difference is visible, so small a loss is no miss if most of what the request before wrote was read: the
 * client marks only a few positions up to which the cache may be read.
 */
const MIN_LOST_SHARE = 0.2;
const MIN_REUSED_SHARE = 0.5;
/** Whether the log itself shows a cause; the others are what remains when it shows none. */
const IS_SHOWN: Readonly<Record<MissCause, boolean>> = {
  expired: false,
  model: true,
  speed: true,
  tools: true,
  system: true,
  settings: true,
  block: true,
  order: true,
  cleared: true,
  compaction: true,
  rewind: false,
  client: true,
  preamble: false,
  unlogged: false,
  evicted: false,
};

const MINUTE_MS = 60_000;
const SHORT_MS = 5 * MINUTE_MS;
const LONG_MS = 60 * MINUTE_MS;

/** A request that paid again for what the one before had left in the cache. */
export type CacheMiss = {
  /** Index of the request that it is compared with: the one before whose tokens were counted. */
  before: number;
  cause: MissCause;
  /** Where the log shows what differs: the request's own answer where nothing else does. */
  record: number;
  /** The block of a message, -1 where no block is meant. */
  block: number;
  lostTokens: number;
  /** What reading the tokens from the cache would have saved, in millionths of a dollar; null without a price. */
  microUsd: number | null;
  /** The client logged both requests, so that what was sent is known. */
  exact: boolean;
  difference: MissDifference | null;
};

/** The first thing in which two logged requests differ, in the order in which the cache holds them. */
export type LoggedDifference = Pick<CacheMiss, "cause" | "record" | "block" | "difference">;

/**
 * Compares two requests by the client's own log of them, the later one second: null where all that the earlier one sent
 * was sent again, undefined where the log does not have both.
 */
export type Compare = (before: number, request: number) => LoggedDifference | null | undefined;

/**
 * Why requests missed the cache, null for each that did not. What a request could have read is what the one before had
 * read and written in its last pass, and what it did read is what its first pass read; what differs between them is looked for in the order in which a cache's key is made.
 * @param base tokens of the system prompt and tools of a request, as far as they are known or estimated
 */
export function* cacheMisses(
  table: SessionTable,
  requests: readonly SentRequest[],
  prices: PriceTable,
  base: (request: number) => number,
  compare: Compare,
): InSteps<(CacheMiss | null)[]> {
  const chains = new CacheLife(table, requests);
  const missOf = (request: SentRequest, nth: number): CacheMiss | null => {
    const before = counted(table, requests, request.before);
    const touchedMs = before === NONE ? Number.NaN : chains.touched(nth, before);
    chains.pass(nth);
    if (before === NONE || contextTokens(table, request.message) === 0) return null;
    const earlier = requests[before] as SentRequest;
    const found = firstPass(table, request.message);
    const read = found.cacheRead;
    const { cacheRead: earlierRead, cacheWrite: earlierWrote } = lastPass(table, earlier.message);
    const kept = earlierRead + earlierWrote;
    const lostTokens = Math.min(kept - read, found.cacheWrite + found.input);
    if (lostTokens < MIN_LOST_TOKENS) return null;
    const logged = request.boundary === NONE ? compare(before, nth) : undefined;
    const ageMs = request.sentMs - touchedMs;
    const ttlMs = chains.ttlOf(before);
    const expired: LoggedDifference | null =
      ageMs > ttlMs
        ? { cause: "expired", record: request.record, block: NONE, difference: { ageMs, ttlMs } }
        : null;
    // Nothing was read of what the request before wrote because its memory file had changed (2.0.76), however much that
    // request had read.
    const isReused = read > earlierRead && read - earlierRead >= earlierWrote * MIN_REUSED_SHARE;
    // Nearly everything was read, the beginning included.
    const isSlight = isReused && lostTokens < kept * MIN_LOST_SHARE;
    const shown = compacted(request) ?? otherModel(table, earlier, request);
    // The system prompt and the tools, which other sessions keep in the cache, may still be there.
    const onlyBase = !shown && !isSlight && read <= base(nth) + MIN_LOST_TOKENS;
    const isAtStart = onlyBase && read < base(nth) / 2;
    const difference =
      shown ??
      (onlyBase ? expired : null) ??
      logged ??
      expired ??
      (logged === null ? null : unlogged(table, requests, before, nth, isAtStart));
    if (isSlight && !(difference && IS_SHOWN[difference.cause])) return null;
    return {
      ...(difference ?? { cause: "evicted", record: request.record, block: NONE, difference: null }),
      before,
      lostTokens,
      microUsd: extraCost(table, request.message, lostTokens, prices),
      exact: logged !== undefined,
    };
  };
  const misses: (CacheMiss | null)[] = [];
  for (const [nth, request] of requests.entries()) {
    misses.push(missOf(request, nth));
    if (endsStep(nth)) yield;
  }
  return misses;
}

/** The nearest earlier request whose tokens were counted. */
function counted(table: SessionTable, requests: readonly SentRequest[], from: number): number {
  let at = from;
  for (let steps = 0; at !== NONE && steps < requests.length; steps++) {
    const { message, before } = requests[at] as SentRequest;
    if (contextTokens(table, message) > 0) return at;
    at = before;
  }
  return NONE;
}

function compacted({ boundary }: SentRequest): LoggedDifference | null {
  return boundary === NONE ? null : { cause: "compaction", record: boundary, block: NONE, difference: null };
}

/** A cache is one model's, and fast mode has its own. */
function otherModel(
  { messages, models }: SessionTable,
  before: SentRequest,
  { message, record }: SentRequest,
): LoggedDifference | null {
  const [from, to] = [messages.model.at(before.message), messages.model.at(message)];
  const at = { record, block: NONE };
  if (from !== to)
    return {
      cause: "model",
      ...at,
      difference: { before: models.at(from) ?? "", after: models.at(to) ?? "" },
    };
  const speed = (one: number) => ((messages.terms.at(one) & Terms.fast) !== 0 ? "fast" : "standard");
  return speed(before.message) === speed(message)
    ? null
    : { cause: "speed", ...at, difference: { before: speed(before.message), after: speed(message) } };
}

/**
 * The difference as far as the records alone show it: texts that were sent only once, results that were removed,
 * another branch, another version of the client. Otherwise the difference is in something that the log does not
 * contain.
 */
function unlogged(
  table: SessionTable,
  requests: readonly SentRequest[],
  before: number,
  nth: number,
  isAtStart: boolean,
): LoggedDifference {
  const { records, versions } = table;
  const [earlier, request] = [requests[before] as SentRequest, requests[nth] as SentRequest];
  const at = { record: request.record, block: NONE };
  const [from, to] = [records.version.at(earlier.record), records.version.at(request.record)];
  if (from !== to)
    return {
      cause: "client",
      ...at,
      difference: { before: versions.at(from) ?? "", after: versions.at(to) ?? "" },
    };
  if (isAtStart) return { cause: "preamble", ...at, difference: null };
  const cleared = clearedBetween(table, requests, before, nth);
  if (cleared !== NONE) return { cause: "cleared", record: cleared, block: NONE, difference: null };
  const latest = latestOfThread(requests, nth);
  if (latest !== NONE && latest !== before) return { cause: "rewind", ...at, difference: null };
  return { cause: "unlogged", ...at, difference: null };
}

/**
 * 2.1.42 removes old results and images from the conversation, and notes when, on the path between the two requests.
 */
function clearedBetween(
  { records, types }: SessionTable,
  requests: readonly SentRequest[],
  before: number,
  nth: number,
): number {
  const type = types.list.indexOf("system/microcompact_boundary");
  for (let at = nth; type !== -1 && at !== NONE && at !== before; at = requests[at]?.before ?? NONE) {
    const cleared = requests[at]?.added.find((record) => records.type.at(record) === type);
    if (cleared !== undefined) return cleared;
  }
  return NONE;
}

function latestOfThread(requests: readonly SentRequest[], nth: number): number {
  const thread = requests[nth]?.thread;
  for (let at = nth - 1; at >= 0; at--) if (requests[at]?.thread === thread) return at;
  return NONE;
}

/** The cost of the lost tokens, minus what reading them would have cost. */
function extraCost(table: SessionTable, message: number, lost: number, prices: PriceTable): number | null {
  // The passes after the first read what that one had written.
  const request = { ...requestOf(table, message), passes: undefined };
  const paid = firstPass(table, message);
  const written = paid.cacheWrite;
  const unwritten = Math.min(lost, written);
  const write1h = Math.min(paid.cacheWrite1h, unwritten);
  const read = {
    ...paid,
    cacheRead: paid.cacheRead + lost,
    cacheWrite1h: paid.cacheWrite1h - write1h,
    cacheWrite5m: Math.max(0, written - paid.cacheWrite1h - (unwritten - write1h)),
    cacheWrite: written - unwritten,
    input: paid.input - (lost - unwritten),
  };
  const priceOf = (tokens: PricedTokens) => prices.microUsd({ ...request, tokens });
  const [was, hit] = [priceOf(paid), priceOf(read)];
  return was === null || hit === null ? null : was - hit;
}

/** How long the prefix that a request left in the cache is kept, and when it was last used. */
class CacheLife {
  readonly #table: SessionTable;
  readonly #requests: readonly SentRequest[];
  readonly #latest = new Map<number, number>();
  readonly #ttl = new Map<number, number>();

  constructor(table: SessionTable, requests: readonly SentRequest[]) {
    this.#table = table;
    this.#requests = requests;
  }

  /**
   * When the prefix that a request left was last read before another request: by itself, or by the requests that
   * continued its thread.
   */
  touched(nth: number, before: number): number {
    const own = this.#requests[before]?.sentMs ?? Number.NaN;
    const latest = this.#latest.get(this.#requests[nth]?.thread ?? NONE);
    const other = latest === undefined ? Number.NaN : (this.#requests[latest]?.sentMs ?? Number.NaN);
    return other > own ? other : own;
  }

  /** Must be called for each request, in the order of time. */
  pass(nth: number): void {
    const { thread, before, message } = this.#requests[nth] as SentRequest;
    this.#latest.set(thread, nth);
    const { cacheWrite, cacheWrite1h } = this.#table.messages;
    const written = cacheWrite.at(message);
    const inherited = this.#ttl.get(before) ?? SHORT_MS;
    this.#ttl.set(
      nth,
      written === 0 ? inherited : cacheWrite1h.at(message) * 2 > written ? LONG_MS : SHORT_MS,
    );
  }

  ttlOf(nth: number): number {
    return this.#ttl.get(nth) ?? SHORT_MS;
  }
}
