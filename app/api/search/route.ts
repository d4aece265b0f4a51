import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { eventResponse, respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { SearchRequest } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const query = parseSearchParams(request, SearchRequest);
    const state = getState();
    // Not awaited: changes on disk appear in the next answer.
    void freshCatalog(state);
    const streams = request.headers.get("accept")?.includes("text/event-stream") === true;
    if (!streams) return state.search.page(query);
    return eventResponse(state.search.events(query, request.signal));
  });
}
