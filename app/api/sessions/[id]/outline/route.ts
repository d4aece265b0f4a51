import { sessionRoute } from "@/lib/server/http/route";
import { OutlineRequest } from "@/lib/wire/requests/threads";

export const GET = sessionRoute({ query: OutlineRequest }, ({ sessions, id, query }) =>
  sessions.outline(id, query),
);
