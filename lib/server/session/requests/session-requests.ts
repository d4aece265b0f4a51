import type { CacheMiss } from "@/lib/log/requests/cache-misses";
import { contextParts } from "@/lib/log/requests/context-parts";
import type { SentRequest } from "@/lib/log/requests/request-list";
import { contextTokens } from "@/lib/log/table/message-tokens";
import type { OpenSession } from "@/lib/server/session/open-session";
import { contextWindow } from "@/lib/server/session/request/context-window";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { findMisses } from "./find-misses";
import { LoggedRequests } from "./logged-differences";
import { sessionSizes } from "./session-sizes";

const NONE = -1;

const known = new WeakMap<OpenSession, Promise<SessionRequest[]>>();

/** Every request of a session: what filled the window, and why it missed the cache where it did. Kept with its state. */
export function sessionRequests(session: OpenSession): Promise<readonly SessionRequest[]> {
  const found = known.get(session) ?? readRequests(session);
  known.set(session, found);
  // What could not be read may be readable the next time.
  found.catch(() => known.delete(session));
  return found;
}

async function readRequests(session: OpenSession): Promise<SessionRequest[]> {
  const { table, graph } = session;
  const logged = await LoggedRequests.of(session);
  const sizes = await sessionSizes(session);
  const { requests, misses } = await findMisses(session, { logged, sizes });
  const refOf = (nth: number) => sizes.refs.get(requests[nth]?.record ?? NONE) ?? null;
  const parts = contextParts(
    table,
    graph,
    requests,
    sizes.blocks,
    (nth) => logged?.preamble(refOf(nth)) ?? null,
  );
  const windows = new Map<number, number | null>();
  const answered: SessionRequest[] = [];
  for (const [nth, request] of requests.entries()) {
    const miss = misses[nth] ?? null;
    const difference =
      miss && logged ? await logged.describe(miss, refOf(miss.before), refOf(nth)) : miss?.difference;
    answered.push({
      ...countsOf(session, request),
      window: windowOf(request.message),
      parts: parts[nth] ?? {},
      miss: miss && { ...wireMiss(session, miss), difference: difference ?? null },
    });
  }
  return answered;

  function windowOf(message: number): number | null {
    const model = table.messages.model.at(message);
    const known = windows.get(model);
    if (known !== undefined) return known;
    const window = contextWindow(table, message);
    windows.set(model, window);
    return window;
  }
}

function countsOf(session: OpenSession, { message, record, thread, boundary }: SentRequest) {
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
