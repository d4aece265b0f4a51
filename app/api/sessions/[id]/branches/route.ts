import { sessionRoute } from "@/lib/server/http/route";
import { PageRequest } from "@/lib/wire/requests/values";

export const GET = sessionRoute({ query: PageRequest }, ({ sessions, id, query }) =>
  sessions.branches(id, query),
);
