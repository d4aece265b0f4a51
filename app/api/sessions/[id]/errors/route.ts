import { parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { ThreadRequest } from "@/lib/wire/requests";

/** Positions of errors: in the thread's rows, hidden by its current view, and elsewhere in the session. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.errors(id, parseSearchParams(request, ThreadRequest)),
  );
}
