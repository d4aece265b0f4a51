import { sessionRoute } from "@/lib/server/http/route";
import { RelatedRequest } from "@/lib/wire/requests/records";

export const GET = sessionRoute({ query: RelatedRequest }, ({ sessions, id, query }) =>
  sessions.related(id, query),
);
