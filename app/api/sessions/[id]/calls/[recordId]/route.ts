import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession } from "@/lib/server/http/respond";
import { CallRequest, RecordPath } from "@/lib/wire/requests";

type Context = { params: Promise<{ id: string; recordId: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { recordId } = await parsePath(context.params, RecordPath);
    const { block, original } = parseSearchParams(request, CallRequest);
    return original === null
      ? sessions.call(id, recordId, block)
      : sessions.originalLines(id, recordId, block, original);
  });
}
