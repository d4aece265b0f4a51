import { eventsResponse } from "@/lib/server/http/events-response";
import { respond } from "@/lib/server/http/respond";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => eventsResponse(request));
}
