import { sessionRoute } from "@/lib/server/http/route";

/** Every request to the model: what filled its window, and why it missed the cache. */
export const GET = sessionRoute({}, ({ sessions, id }) => sessions.requests(id));
