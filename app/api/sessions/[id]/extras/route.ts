import { listExtras } from "@/lib/server/extras/session-extras";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (_sessions, id, { catalog }) =>
    listExtras(catalog.surroundings(id)),
  );
}
