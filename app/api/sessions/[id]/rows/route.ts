import { z } from "zod";
import { count, parseQuery, RecordIdParam, viewParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

const Query = z.object({
  ...viewParams,
  from: count(0, 1e9).default(0),
  count: count(1, 200).default(100),
  around: RecordIdParam.nullable().default(null),
  beginning: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.rows(id, parseQuery(request, Query)),
  );
}
