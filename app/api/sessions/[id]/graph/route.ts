import { parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { GraphRequest } from "@/lib/wire/requests";

/** The session's graph; with `segment` the contents of one item; with `rows=1` marks for the rows of a thread. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) => {
    const { segment, holds, rows, ...thread } = parseSearchParams(request, GraphRequest);
    if (rows) return sessions.minimap(id, thread);
    return segment ? sessions.graphSegment(id, segment, holds) : sessions.graph(id);
  });
}
