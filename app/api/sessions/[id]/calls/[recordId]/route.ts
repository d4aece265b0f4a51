import { z } from "zod";
import { count, LinesParam, parsePath, parseQuery, RecordIdParam } from "@/lib/server/http/parameters";
import { respondAboutSession } from "@/lib/server/http/respond";

const Path = z.object({ recordId: RecordIdParam });
const Query = z.object({
  block: count(0, 100_000).default(0),
  original: LinesParam.nullable().default(null),
});

type Context = { params: Promise<{ id: string; recordId: string }> };

export function GET(request: Request, context: Context): Promise<Response> {
  return respondAboutSession(request, context, async (sessions, id) => {
    const { recordId } = await parsePath(context.params, Path);
    const { block, original } = parseQuery(request, Query);
    return original === null
      ? sessions.call(id, recordId, block)
      : sessions.originalLines(id, recordId, block, original);
  });
}
