import { z } from "zod";
import {
  AgentIdParam,
  BranchIdParam,
  DetailParam,
  FoldParam,
  parseQuery,
  RunsParam,
} from "@/lib/server/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/respond-about-session";

const Query = z.object({
  branch: BranchIdParam.nullable().default(null),
  agent: AgentIdParam.nullable().default(null),
  detail: DetailParam.default("tools"),
  fold: FoldParam.default([]),
  runs: RunsParam.default(null),
});

/** Where errors are: in a thread's rows, hidden by this view of it, and elsewhere in the session. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.errors(id, parseQuery(request, Query)),
  );
}
