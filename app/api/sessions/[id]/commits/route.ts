import { sessionRoute } from "@/lib/server/http/route";

export const GET = sessionRoute({}, ({ sessions, id }) => sessions.commits(id));
