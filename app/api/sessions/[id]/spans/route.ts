import { sessionRoute } from "@/lib/server/http/route";
import { SpansRequest } from "@/lib/wire/requests/spans";

/** Where the time went, of all turns or of some; with `only` what these spans are about; with a `limit` page by page. */
export const GET = sessionRoute({ query: SpansRequest }, ({ sessions, id, query }) =>
  query.limit === null || query.only ? sessions.spans(id, query) : sessions.spansPage(id, query),
);
