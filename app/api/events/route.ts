import { eventsResponse, respond } from "@/lib/server/http/respond";

export function GET(request: Request): Promise<Response> {
  return respond(request, () => eventsResponse(request));
}
