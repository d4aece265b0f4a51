import { eventsResponse } from "@/lib/server/live/events-response";
import { respond } from "@/lib/server/respond";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => eventsResponse(request));
}
