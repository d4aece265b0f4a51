import { eventsResponse, respond } from "@/lib/server/http/respond";

export function GET(request: Request): Promise<Response> {
  return respond(request, (library) => eventsResponse(request, library));
}
