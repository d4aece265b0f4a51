import { parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { OutlineRequest } from "@/lib/wire/requests";

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.outline(id, parseSearchParams(request, OutlineRequest)),
  );
}
