import { parsePath } from "@/lib/server/http/parameters";
import { blobResponse, respondAboutSession } from "@/lib/server/http/respond";
import { BlobPath } from "@/lib/wire/requests";

type Context = { params: Promise<{ id: string; recordId: string; n: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { recordId, n } = await parsePath(context.params, BlobPath);
    return blobResponse(await sessions.blob(id, recordId, n));
  });
}
