import { sessionRoute } from "@/lib/server/http/route";
import { ThreadRequest } from "@/lib/wire/requests/threads";

/** Positions of errors: in the thread's rows, hidden by its current view, and elsewhere in the session. */
export const GET = sessionRoute({ query: ThreadRequest }, ({ sessions, id, query }) =>
  sessions.errors(id, query),
);
