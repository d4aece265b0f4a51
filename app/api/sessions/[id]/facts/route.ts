import { sessionRoute } from "@/lib/server/http/route";

/** What can be counted of how a session went. */
export const GET = sessionRoute({}, ({ sessions, id }) => sessions.facts(id));
