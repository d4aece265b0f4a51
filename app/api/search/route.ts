import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { eventResponse, respond } from "@/lib/server/http/respond";
import { SearchRequest } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  return respond(request, async (library) => {
    const query = parseSearchParams(request, SearchRequest);
    // Not awaited: changes on disk appear in the next answer.
    void freshCatalog(library);
    const streams = request.headers.get("accept")?.includes("text/event-stream") === true;
    if (!streams) return library.search.page(query);
    return eventResponse(library.search.events(query, request.signal));
  });
}
