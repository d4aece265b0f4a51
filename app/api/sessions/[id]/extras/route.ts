import { listExtras } from "@/lib/server/extras/session-extras";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, (_sessions, id) =>
    listExtras(getState().catalog.surroundings(id)),
  );
}
