import {
  type QueryClient,
  experimental_streamedQuery as streamedQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type {
  RequestingThread,
  RequestsPage,
  SessionRequest,
} from "@/lib/wire/model-requests/session-requests";

/**
 * The first requests of the main thread (`agentId` is null), or of an agent, in order, as far as they have come, of so
 * many (`total`); and the threads that made some. `revision`: the session's, as which they were asked for.
 */
export type RequestThread = {
  agentId: AgentId | null;
  requests: readonly SessionRequest[];
  total: number;
  threads: readonly RequestingThread[];
  revision: number | null;
};

/** Which thread is shown: that of the request `step`, else that of the agent. */
type Wanted = { step: string | null; agent: AgentId | null };

/** The server ends an answer below a megabyte, which is fewer where they are long. */
const MAX_ASKED = 5000;

/** The last requests that are known are asked for again as a session grows: what was still being answered has changed. */
const ASKED_AGAIN = 20;

/**
 * Requests of a session's thread, those that have come while others are asked for. `revision` is that of the session, with
 * which only what is new is asked for.
 */
export function useRequests(sessionId: SessionId, revision: number | null, wanted: Wanted) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["requests", sessionId, revision, wanted.step, wanted.agent],
    queryFn: streamedQuery<RequestThread, RequestThread | null>({
      streamFn: ({ signal }) =>
        eachState(sessionId, revision, wanted, knownThread(client, sessionId, wanted), signal),
      reducer: (_, state) => state,
      initialValue: null,
      refetchMode: "replace",
    }),
    placeholderData: (before: RequestThread | null | undefined, query) =>
      query?.queryKey[1] === sessionId ? before : undefined,
    gcTime: 30_000,
    structuralSharing: false,
  });
}

/** What has been read of the wanted thread, for another of its requests or an earlier state of the session: the newest, or most. */
function knownThread(
  client: QueryClient,
  sessionId: SessionId,
  { step, agent }: Wanted,
): RequestThread | null {
  let known: RequestThread | null = null;
  for (const [, thread] of client.getQueriesData<RequestThread | null>({
    queryKey: ["requests", sessionId],
  })) {
    if (!thread) continue;
    const isWanted =
      step === null ? thread.agentId === agent : thread.requests.some(({ recordId }) => recordId === step);
    const order =
      (thread.revision ?? 0) - (known?.revision ?? 0) ||
      thread.requests.length - (known?.requests.length ?? 0);
    if (isWanted && (known === null || order > 0)) known = thread;
  }
  return known;
}

/** The thread as it is known after each answer. Begins with what is known already, if that is still so. */
async function* eachState(
  sessionId: SessionId,
  revision: number | null,
  wanted: Wanted,
  known: RequestThread | null,
  signal: AbortSignal,
): AsyncGenerator<RequestThread> {
  let state = known;
  if (known) {
    yield known;
    if (known.revision === revision && known.requests.length >= known.total) return;
    state = await goneOn(sessionId, revision, known, signal);
  }
  if (!state) {
    const asked = { step: wanted.step, agent: wanted.agent, limit: MAX_ASKED };
    const first = await api.requestsPage(sessionId, asked, { signal });
    const { agentId, threads, requests, total } = first;
    state = { agentId, threads, requests, total, revision };
  }
  yield state;
  while (state.requests.length < state.total) {
    const { agentId, requests }: RequestThread = state;
    const asked = { agent: agentId, limit: MAX_ASKED, cursor: String(requests.length) };
    const page: RequestsPage = await api.requestsPage(sessionId, asked, { signal });
    if (page.requests.length === 0) return;
    state = { ...state, requests: [...requests, ...page.requests], total: page.total };
    yield state;
  }
}

/** A known thread with what comes after it; `null` where the log has other requests in those places, or none. */
async function goneOn(
  sessionId: SessionId,
  revision: number | null,
  { agentId, requests }: RequestThread,
  signal: AbortSignal,
): Promise<RequestThread | null> {
  const from = Math.max(0, requests.length - ASKED_AGAIN);
  const asked = { agent: agentId, limit: MAX_ASKED, cursor: String(from), threads: true };
  const page = await api.requestsPage(sessionId, asked, { signal });
  const isSame =
    page.agentId === agentId &&
    page.total >= requests.length &&
    page.requests[0]?.recordId === requests[from]?.recordId;
  if (!isSame) return null;
  const { threads, total } = page;
  return { agentId, threads, total, revision, requests: [...requests.slice(0, from), ...page.requests] };
}
