import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import type { AgentEntry, AgentsResponse } from "@/lib/wire/session";

const PAGE = 200;
/** More are not asked for: nobody reads a list of thousands, and each page takes the server some time. */
const MAX_AGENTS = 2_000;

/**
 * The agents of a session in order of appearance, by which a row's lanes number them; `nextCursor` is set where there are
 * more than are listed.
 */
export function agentsQuery(sessionId: SessionId) {
  return queryOptions({
    queryKey: ["agents", sessionId],
    queryFn: ({ signal }) => allAgents(sessionId, signal),
  });
}

async function allAgents(sessionId: SessionId, signal: AbortSignal): Promise<AgentsResponse> {
  const agents: AgentEntry[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: AgentsResponse = await api.agents(sessionId, { limit: PAGE, cursor }, { signal });
    agents.push(...page.agents);
    cursor = page.nextCursor;
    if (cursor === null || agents.length >= MAX_AGENTS) return { agents, nextCursor: cursor };
  }
}
