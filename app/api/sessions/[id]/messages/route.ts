import { z } from "zod";
import { parseQuery } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

const Query = z.object({
  at: z.string().regex(/^[A-Za-z0-9._~-]{1,200}$/, "a record id, uuid or tool-use id"),
});

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.messages(id, parseQuery(request, Query).at),
  );
}
