import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (sessions, id) => sessions.detail(id));
}
