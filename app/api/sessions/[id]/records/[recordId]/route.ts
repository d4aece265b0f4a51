import { z } from "zod";
import { parsePath, parseQuery, RecordIdParam } from "@/lib/server/http/parameters";
import { rawResponse, respondAboutSession } from "@/lib/server/http/respond";

const Path = z.object({ recordId: RecordIdParam });
const Query = z.object({ raw: z.enum(["0", "1"]).default("0") });

type Context = { params: Promise<{ id: string; recordId: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { recordId } = await parsePath(context.params, Path);
    const { raw } = parseQuery(request, Query);
    return raw === "1" ? rawResponse(await sessions.rawRecord(id, recordId)) : sessions.record(id, recordId);
  });
}
