import { z } from "zod";
import {
  AgentIdParam,
  BranchIdParam,
  count,
  DetailParam,
  FoldParam,
  parseQuery,
  RecordIdParam,
  RunsParam,
} from "@/lib/server/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/respond-about-session";

const Query = z.object({
  branch: BranchIdParam.nullable().default(null),
  agent: AgentIdParam.nullable().default(null),
  detail: DetailParam.default("tools"),
  fold: FoldParam.default([]),
  runs: RunsParam.default(null),
  from: count(0, 1e9).default(0),
  count: count(1, 200).default(100),
  around: RecordIdParam.nullable().default(null),
});

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.rows(id, parseQuery(request, Query)),
  );
}
