import { renewCatalog } from "@/lib/server/http/fresh-catalog";
import { eventResponse } from "@/lib/server/http/respond";
import { route } from "@/lib/server/http/route";
import { SearchRequest } from "@/lib/wire/requests/search";

export const GET = route({ query: SearchRequest }, ({ request, library, query }) => {
  renewCatalog(library);
  const streams = request.headers.get("accept")?.includes("text/event-stream") === true;
  if (!streams) return library.search.page(query);
  return eventResponse(library.search.events(query, request.signal));
});
