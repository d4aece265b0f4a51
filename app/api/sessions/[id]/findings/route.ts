import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

/** What would be redacted in a session: kinds, counts and places, and of each its first characters at the most. */
export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (_sessions, id, { secrets }) => secrets.findings(id));
}
