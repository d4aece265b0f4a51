import { sessionRoute } from "@/lib/server/http/route";
import { BriefRequest, TurnPath } from "@/lib/wire/requests/threads";

export const GET = sessionRoute({ query: BriefRequest, path: TurnPath }, ({ sessions, id, query, path }) =>
  sessions.brief(id, path.turn, query.branch),
);
