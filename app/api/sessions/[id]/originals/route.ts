import { listOriginals, readOriginal } from "@/lib/server/extras/original-files";
import { downloadResponse } from "@/lib/server/http/download";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { respondAboutSession, type SessionContext } from "@/lib/server/http/respond";
import { OriginalsRequest } from "@/lib/wire/requests";
import type { OriginalsResponse } from "@/lib/wire/session";

export function GET(request: Request, context: SessionContext): Promise<Response> {
  return respondAboutSession(request, context, async (_sessions, id, { catalog }) => {
    const { path } = parseSearchParams(request, OriginalsRequest);
    const files = catalog.sessionFiles(id);
    const around = catalog.surroundings(id);
    if (path === null) return { files: await listOriginals(files, around) } satisfies OriginalsResponse;
    const { bytes, pieces } = await readOriginal(files, around, path);
    const response = downloadResponse({
      name: `${id}.original`,
      mediaType: "application/octet-stream",
      pieces,
    });
    response.headers.set("content-length", String(bytes));
    return response;
  });
}
