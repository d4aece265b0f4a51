import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { sessionFilter } from "@/lib/server/search/match-session";
import { SessionsRequest } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const { q, ...query } = parseSearchParams(request, SessionsRequest);
    const state = getState();
    const catalog = await freshCatalog(state);
    const { keep, problems } = sessionFilter(state, q);
    return { ...catalog.sessions({ ...query, keep }), problems };
  });
}
