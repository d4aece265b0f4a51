import { z } from "zod";
import { pageParams, parseQuery } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

const Query = z.object(pageParams);

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.files(id, parseQuery(request, Query)),
  );
}
