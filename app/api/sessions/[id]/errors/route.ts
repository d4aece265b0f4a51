import { parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { ThreadRequest } from "@/lib/wire/requests";

/** Where errors are: in a thread's rows, hidden by this view of it, and elsewhere in the session. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) =>
    sessions.errors(id, parseSearchParams(request, ThreadRequest)),
  );
}
