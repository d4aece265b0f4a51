import { parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { GraphRequest } from "@/lib/wire/requests";

/** The session's graph; with `segment` the contents of one item; with `rows=1` marks for the rows of a thread, where `q` finds something too. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id, { search }) => {
    const { segment, holds, rows, q, ...thread } = parseSearchParams(request, GraphRequest);
    if (rows) {
      const { detail, find } = thread;
      const found = q ? await search.records({ q, session: id, detail }, request.signal) : [];
      return sessions.minimap(id, { ...thread, find: [...find, ...found] });
    }
    return segment ? sessions.graphSegment(id, segment, holds) : sessions.graph(id);
  });
}
