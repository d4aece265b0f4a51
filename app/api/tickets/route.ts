import { parseBody } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { TicketBody } from "@/lib/wire/requests";

export function POST(request: Request): Promise<Response> {
  return respond(request, async () => getState().tickets.issue((await parseBody(request, TicketBody)).path));
}
