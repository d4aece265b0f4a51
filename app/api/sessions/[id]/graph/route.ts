import { z } from "zod";
import {
  AgentIdParam,
  BranchIdParam,
  count,
  DetailParam,
  FoldParam,
  parseQuery,
  RecordIdParam,
  RecordIdsParam,
  RunsParam,
} from "@/lib/server/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/respond-about-session";

const Query = z.object({
  segment: RecordIdParam.nullable().default(null),
  holds: count(0, 1e6).default(0),
  rows: z.literal("1").nullable().default(null),
  branch: BranchIdParam.nullable().default(null),
  agent: AgentIdParam.nullable().default(null),
  detail: DetailParam.default("tools"),
  fold: FoldParam.default([]),
  runs: RunsParam.default(null),
  find: RecordIdsParam.default([]),
});

/** The session's map; with `segment` what one item of it holds; with `rows=1` where things stand in a thread's rows. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) => {
    const { segment, holds, rows, ...thread } = parseQuery(request, Query);
    if (rows) return sessions.minimap(id, thread);
    return segment ? sessions.graphSegment(id, segment, holds) : sessions.graph(id);
  });
}
