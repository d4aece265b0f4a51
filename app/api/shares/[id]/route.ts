import { ownerRoute } from "@/lib/server/http/route";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { SharePath } from "@/lib/wire/requests/shares";

/** Takes a share back. */
export const DELETE = ownerRoute({ path: SharePath }, async ({ state, path }) => {
  if (await state.shares.revoke(path.id)) return { revoked: path.id };
  throw new ViewerError("share-not-found", "There is no such link", {
    hint: "It has expired, or was taken back already.",
  });
});
