import { z } from "zod";
import { freshCatalog } from "@/lib/server/http/health";
import { count, ProjectIdParam, pageParams, parseQuery, SessionIdParam } from "@/lib/server/http/parameters";
import { eventResponse, respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";

const Query = z.object({
  q: z.string().max(1000).default(""),
  project: ProjectIdParam.nullable().default(null),
  session: SessionIdParam.nullable().default(null),
  limit: count(1, 500).default(50),
  cursor: pageParams.cursor,
});

export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const query = parseQuery(request, Query);
    const state = getState();
    // Not awaited: changes on disk appear in the next answer.
    void freshCatalog(state);
    const streams = request.headers.get("accept")?.includes("text/event-stream") === true;
    if (!streams) return state.search.page(query);
    return eventResponse(state.search.events(query, request.signal));
  });
}
