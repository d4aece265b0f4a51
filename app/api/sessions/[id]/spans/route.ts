import { sessionRoute } from "@/lib/server/http/route";
import { SpansRequest } from "@/lib/wire/requests";

/** Where the time went, of all turns or of some; with `only` what these spans are about. */
export const GET = sessionRoute({ query: SpansRequest }, ({ sessions, id, query }) =>
  sessions.spans(id, query),
);
