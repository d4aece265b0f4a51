import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { rawResponse, respondAboutSession } from "@/lib/server/http/respond";
import { RecordPath, RecordRequest } from "@/lib/wire/requests";

type Context = { params: Promise<{ id: string; recordId: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { recordId } = await parsePath(context.params, RecordPath);
    const { raw } = parseSearchParams(request, RecordRequest);
    return raw ? rawResponse(await sessions.rawRecord(id, recordId)) : sessions.record(id, recordId);
  });
}
