import { sessionRoute } from "@/lib/server/http/route";
import { GraphRequest } from "@/lib/wire/requests/threads";

/** The session's graph; with `segment` the contents of one item; with `rows=1` marks for the rows of a thread, where `q` finds something too. */
export const GET = sessionRoute(
  { query: GraphRequest },
  async ({ request, library, sessions, id, query }) => {
    const { segment, holds, rows, q, ...thread } = query;
    if (rows) {
      const { detail, find } = thread;
      const found = q ? await library.search.records({ q, session: id, detail }, request.signal) : [];
      return sessions.minimap(id, { ...thread, find: [...find, ...found] });
    }
    return segment ? sessions.graphSegment(id, segment, holds) : sessions.graph(id);
  },
);
