import { eventsResponse } from "@/lib/server/http/respond";
import { route } from "@/lib/server/http/route";
import { EventsRequest } from "@/lib/wire/requests/events";

export const GET = route({ query: EventsRequest }, ({ request, library, query, caller }) =>
  eventsResponse(request, query, library, caller),
);
