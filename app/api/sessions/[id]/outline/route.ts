import { z } from "zod";
import {
  BranchIdParam,
  count,
  DetailParam,
  FoldParam,
  parseQuery,
  RunsParam,
} from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

const Query = z.object({
  branch: BranchIdParam.nullable().default(null),
  from: count(0, 1e9).default(0),
  count: count(1, 5000).default(1000),
  detail: DetailParam.default("tools"),
  fold: FoldParam.default([]),
  runs: RunsParam.default(null),
});

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.outline(id, parseQuery(request, Query)),
  );
}
