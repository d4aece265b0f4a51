import { parseBody } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { TicketBody } from "@/lib/wire/requests";

export function POST(request: Request): Promise<Response> {
  return respond(request, async (_library, caller) => {
    const { path } = await parseBody(request, TicketBody);
    return getState().tickets.issue(path, { share: caller.kind === "guest" ? caller.guest.shareId : null });
  });
}
