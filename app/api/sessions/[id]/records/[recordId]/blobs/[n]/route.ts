import { z } from "zod";
import { count, parsePath, RecordIdParam } from "@/lib/server/http/parameters";
import { blobResponse, respondAboutSession } from "@/lib/server/http/respond";

const Path = z.object({ recordId: RecordIdParam, n: count(0, 100_000) });

type Context = { params: Promise<{ id: string; recordId: string; n: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { recordId, n } = await parsePath(context.params, Path);
    return blobResponse(await sessions.blob(id, recordId, n));
  });
}
