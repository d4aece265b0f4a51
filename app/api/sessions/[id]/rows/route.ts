import { sessionRoute } from "@/lib/server/http/route";
import { RowsRequest } from "@/lib/wire/requests/threads";

export const GET = sessionRoute({ query: RowsRequest }, ({ sessions, id, query }) =>
  sessions.rows(id, query),
);
