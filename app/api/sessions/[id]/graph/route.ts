import { z } from "zod";
import { count, parseQuery, RecordIdParam, RecordIdsParam, viewParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

const Query = z.object({
  segment: RecordIdParam.nullable().default(null),
  holds: count(0, 1e6).default(0),
  rows: z.literal("1").nullable().default(null),
  ...viewParams,
  find: RecordIdsParam.default([]),
});

/** The session's graph; with `segment` the contents of one item; with `rows=1` marks for the rows of a thread. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) => {
    const { segment, holds, rows, ...thread } = parseQuery(request, Query);
    if (rows) return sessions.minimap(id, thread);
    return segment ? sessions.graphSegment(id, segment, holds) : sessions.graph(id);
  });
}
