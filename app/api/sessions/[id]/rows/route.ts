import { z } from "zod";
import { agentId, branchId, count, detail, fold, parseQuery, recordId } from "@/lib/server/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/respond-about-session";

const Query = z.object({
  branch: branchId.nullable().default(null),
  agent: agentId.nullable().default(null),
  detail: detail.default("tools"),
  fold: fold.default([]),
  from: count(0, 1e9).default(0),
  count: count(1, 500).default(100),
  around: recordId.nullable().default(null),
});

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.rows(id, parseQuery(request, Query)),
  );
}
