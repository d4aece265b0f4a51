import { checkTicketPath } from "@/lib/server/http/caller";
import { route } from "@/lib/server/http/route";
import { getState } from "@/lib/server/http/state";
import { TicketBody } from "@/lib/wire/requests/exports";

export const POST = route({ body: TicketBody }, async ({ body, caller, library }) => {
  await checkTicketPath(body.path, caller, library);
  return getState().tickets.issue(body.path, {
    share: caller.kind === "guest" ? caller.guest.shareId : null,
  });
});
