import { sessionRoute } from "@/lib/server/http/route";
import { RequestsRequest } from "@/lib/wire/requests/model-requests";

/** The requests to the model: what filled its window, and why it missed the cache; with a `limit`, page by page. */
export const GET = sessionRoute({ query: RequestsRequest }, ({ sessions, id, query }) =>
  query.limit === null ? sessions.requests(id) : sessions.requestsPage(id, query),
);
