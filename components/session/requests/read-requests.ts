import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { RequestingThread, SessionRequest } from "@/lib/wire/model-requests/session-requests";

/** The requests of the main thread (`agentId` is null), or of an agent, in order, and the threads that made some. */
export type RequestThread = {
  agentId: AgentId | null;
  requests: readonly SessionRequest[];
  threads: readonly RequestingThread[];
};

/** Which thread is shown: that of the request `step`, else that of the agent. */
type Wanted = { step: string | null; agent: AgentId | null };

/** The server ends an answer below a megabyte, which is fewer where they are long. */
const MAX_ASKED = 5000;

/** Requests of a session's thread. `revision` is that of the session, with which they are asked for again. */
export function useRequests(sessionId: SessionId, revision: number | null, { step, agent }: Wanted) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["requests", sessionId, revision, step, agent],
    queryFn: ({ signal }) =>
      knownThread(client, ["requests", sessionId, revision], step) ??
      readThread(sessionId, { step, agent }, signal),
    placeholderData: (before: RequestThread | undefined, query) =>
      query?.queryKey[1] === sessionId ? before : undefined,
    gcTime: 30_000,
    structuralSharing: false,
  });
}

/** A thread that was read for another of its requests. */
function knownThread(client: QueryClient, queryKey: unknown[], step: string | null): RequestThread | null {
  if (step === null) return null;
  for (const [, thread] of client.getQueriesData<RequestThread>({ queryKey }))
    if (thread?.requests.some(({ recordId }) => recordId === step)) return thread;
  return null;
}

async function readThread(
  sessionId: SessionId,
  { step, agent }: Wanted,
  signal: AbortSignal,
): Promise<RequestThread> {
  const { agentId, threads, ...first } = await api.requestsPage(
    sessionId,
    { step, agent, limit: MAX_ASKED },
    { signal },
  );
  const requests = [...first.requests];
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = await api.requestsPage(sessionId, { agent: agentId, limit: MAX_ASKED, cursor }, { signal });
    requests.push(...page.requests);
    cursor = page.nextCursor;
  }
  return { agentId, requests, threads };
}
