import { z } from "zod";
import { branchId, count, detail, fold, parseQuery } from "@/lib/server/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/respond-about-session";

const Query = z.object({
  branch: branchId.nullable().default(null),
  from: count(0, 1e9).default(0),
  count: count(1, 5000).default(1000),
  detail: detail.default("tools"),
  fold: fold.default([]),
});

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.outline(id, parseQuery(request, Query)),
  );
}
