import { parsePath } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { SharePath } from "@/lib/wire/requests";

type Context = { params: Promise<{ id: string }> };

/** Takes a share back. */
export function DELETE(request: Request, { params }: Context): Promise<Response> {
  return respond(request, async () => {
    const { id } = await parsePath(params, SharePath);
    if (await getState().shares.revoke(id)) return { revoked: id };
    throw new ViewerError("share-not-found", "There is no such link", {
      hint: "It has expired, or was taken back already.",
    });
  });
}
