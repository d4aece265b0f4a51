import { endsStep } from "@/lib/format/in-steps";
import type { CacheMiss } from "@/lib/log/requests/cache-misses";
import { contextParts } from "@/lib/log/requests/context-parts";
import type { SentRequest } from "@/lib/log/requests/request-list";
import type { WindowParts } from "@/lib/log/requests/window-parts";
import { contextTokens } from "@/lib/log/table/message-tokens";
import { inSlices, nextSlice } from "@/lib/server/runtime/slices";
import type { OpenSession } from "@/lib/server/session/open-session";
import { pageBySize } from "@/lib/server/session/page-by-size";
import { contextWindow } from "@/lib/server/session/request/context-window";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { RequestMiss, RequestsPage, SessionRequest } from "@/lib/wire/model-requests/session-requests";
import type { RequestsQuery } from "@/lib/wire/requests/model-requests";
import { findMisses } from "./find-misses";
import { LoggedRequests } from "./logged-differences";
import { sessionSizes } from "./session-sizes";

const NONE = -1;

const known = new WeakMap<OpenSession, Promise<FoundRequests>>();

/** Every request of a session: what filled the window, and why it missed the cache where it did. */
export async function sessionRequests(session: OpenSession): Promise<SessionRequest[]> {
  const found = await foundRequests(session);
  const requests: SessionRequest[] = [];
  for (let nth = 0; nth < found.requests.length; nth++) {
    requests.push(found.toWire(nth));
    if (endsStep(nth)) await nextSlice();
  }
  return requests;
}

/**
 * Some requests of one thread, in the order of their times, as many as an answer of a megabyte holds. Throws
 * ViewerError `bad-cursor`.
 */
export async function pageOfRequests(
  session: OpenSession,
  { agent, step, limit, cursor, threads: withThreads }: RequestsQuery,
): Promise<RequestsPage> {
  const found = await foundRequests(session);
  const { threads } = found;
  const named = step === null ? undefined : found.requests.findIndex(({ record }) => isNamed(record));
  const thread = named === undefined || named === NONE ? undefined : found.requests[named]?.thread;
  const chosen =
    threads.find((one) => one.thread === thread) ??
    threads.find(({ agentId }) => agentId === agent) ??
    threads[0];
  const all = chosen?.numbers ?? [];
  const { items, nextCursor } = pageBySize(all, { limit, cursor }, (nth) => found.toWire(nth));
  return {
    agentId: chosen?.agentId ?? null,
    // The pages that follow are of a thread that is known.
    threads:
      cursor === null || withThreads
        ? threads.map(({ agentId, numbers }) => ({
            agentId,
            first: found.idOf(numbers[0] as number),
            requests: numbers.length,
          }))
        : [],
    requests: items,
    total: all.length,
    nextCursor,
  };

  function isNamed(record: number): boolean {
    return session.recordId(record) === step;
  }
}

/** The tokens by part of each request, the last one first. */
export async function* partsFromLast(
  session: OpenSession,
): AsyncGenerator<Pick<SessionRequest, "parts"> & { record: number }> {
  const { requests, parts } = await foundRequests(session);
  for (let nth = requests.length - 1; nth >= 0; nth--)
    yield { record: requests[nth]?.record ?? NONE, parts: parts.of(nth) };
}

/** Of a request only numbers are kept. */
type KeptRequest = Pick<SentRequest, "message" | "record" | "thread" | "boundary">;

/** A thread that made requests, and which these are. */
type ThreadOfRequests = { thread: number; agentId: AgentId | null; numbers: number[] };

/** The requests of a session as they are kept with its state; an answer's shape is made of those alone that it has. */
class FoundRequests {
  readonly #session: OpenSession;
  readonly requests: readonly KeptRequest[];
  readonly parts: WindowParts;
  readonly #misses: ReadonlyMap<number, RequestMiss>;
  /** The main thread first, then agents in the order of their first. */
  readonly threads: readonly ThreadOfRequests[];
  readonly #windows = new Map<number, number | null>();

  constructor(
    session: OpenSession,
    requests: readonly KeptRequest[],
    parts: WindowParts,
    misses: ReadonlyMap<number, RequestMiss>,
  ) {
    this.#session = session;
    this.requests = requests;
    this.parts = parts;
    this.#misses = misses;
    const threads = new Map<AgentId | null, ThreadOfRequests>();
    for (const [nth, { thread }] of requests.entries()) {
      const agentId = session.graph.threads[thread]?.agentId ?? null;
      const own = threads.get(agentId) ?? { thread, agentId, numbers: [] };
      threads.set(agentId, own);
      own.numbers.push(nth);
    }
    const main = threads.get(null);
    threads.delete(null);
    this.threads = main ? [main, ...threads.values()] : [...threads.values()];
  }

  idOf(nth: number): RecordId {
    return this.#session.recordId(this.requests[nth]?.record ?? NONE);
  }

  toWire(nth: number): SessionRequest {
    const request = this.requests[nth] as KeptRequest;
    return {
      ...countsOf(this.#session, request),
      window: this.#windowOf(request.message),
      parts: this.parts.of(nth),
      miss: this.#misses.get(nth) ?? null,
    };
  }

  #windowOf(message: number): number | null {
    const { table } = this.#session;
    const model = table.messages.model.at(message);
    const found = this.#windows.get(model);
    if (found !== undefined) return found;
    const window = contextWindow(table, message);
    this.#windows.set(model, window);
    return window;
  }
}

function foundRequests(session: OpenSession): Promise<FoundRequests> {
  const found = known.get(session) ?? readRequests(session);
  known.set(session, found);
  // What could not be read may be readable the next time.
  found.catch(() => known.delete(session));
  return found;
}

async function readRequests(session: OpenSession): Promise<FoundRequests> {
  const { table, graph } = session;
  const logged = await LoggedRequests.of(session);
  const sizes = await sessionSizes(session);
  const { requests, misses } = await findMisses(session, { logged, sizes });
  const refOf = (nth: number) => sizes.refs.get(requests[nth]?.record ?? NONE) ?? null;
  const preambleOf = (nth: number) => logged?.preamble(refOf(nth)) ?? null;
  const parts = await inSlices(contextParts(table, graph, requests, sizes.blocks, preambleOf));
  const told = new Map<number, RequestMiss>();
  for (const [nth, miss] of misses.entries()) {
    if (!miss) continue;
    const difference = logged ? await logged.describe(miss, refOf(miss.before), refOf(nth)) : miss.difference;
    told.set(nth, { ...wireMiss(session, miss), difference: difference ?? null });
    await nextSlice();
  }
  // Without what each request adds, which is a list of its own.
  const kept = requests.map(({ message, record, thread, boundary }) => ({
    message,
    record,
    thread,
    boundary,
  }));
  return new FoundRequests(session, kept, parts, told);
}

function countsOf(session: OpenSession, { message, record, thread, boundary }: KeptRequest) {
  const { table } = session;
  const { messages, models } = table;
  const atMs = messages.atMs.at(message);
  const cacheWrite1h = messages.cacheWrite1h.at(message);
  return {
    recordId: session.recordId(record),
    atMs: Number.isNaN(atMs) ? null : atMs,
    agentId: session.graph.threads[thread]?.agentId ?? null,
    model: models.at(messages.model.at(message)) ?? "",
    context: contextTokens(table, message),
    passes: table.passes.of(message)?.length ?? 1,
    advisors: table.advised.of(message).map((advisor) => ({
      model: models.at(messages.model.at(advisor)) ?? "",
      input: messages.input.at(advisor),
      cacheRead: messages.cacheRead.at(advisor),
      cacheWrite: messages.cacheWrite.at(advisor),
      output: messages.output.at(advisor),
    })),
    input: messages.input.at(message),
    output: messages.output.at(message),
    cacheRead: messages.cacheRead.at(message),
    // Unless the log says an hour, the cache is kept for five minutes.
    cacheWrite5m: messages.cacheWrite.at(message) - cacheWrite1h,
    cacheWrite1h,
    compactedAt: boundary === NONE ? null : session.recordId(boundary),
  };
}

function wireMiss(session: OpenSession, miss: CacheMiss) {
  const { cause, record, block, lostTokens, microUsd, exact } = miss;
  const recordId = session.recordId(record);
  return { cause, recordId, block: block === NONE ? null : block, lostTokens, microUsd, exact };
}
