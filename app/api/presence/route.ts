import { noSuchEndpoint } from "@/lib/server/http/caller";
import { route } from "@/lib/server/http/route";
import { getState } from "@/lib/server/http/state";
import { PresenceBody } from "@/lib/wire/requests/presence";

export const PUT = route({ body: PresenceBody }, ({ body, caller }) => {
  const presence = getState().presence;
  const share = caller.kind === "guest" ? caller.guest.shareId : null;
  if (body.kind === "follow") presence.follow(share, body);
  else if (share !== null) throw noSuchEndpoint();
  else if (body.kind === "present") presence.present(body.window, body.position, body.presentation);
  else if (body.kind === "leave") presence.leave(body.window, body.kept);
  else presence.end(body.window);
  return {};
});
