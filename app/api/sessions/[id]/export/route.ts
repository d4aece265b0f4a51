import { choose } from "@/lib/server/export/chosen-part";
import { exportSession } from "@/lib/server/export/export-session";
import { downloadResponse } from "@/lib/server/http/download";
import type { Library } from "@/lib/server/http/library";
import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { respond, type SessionContext } from "@/lib/server/http/respond";
import { ExportRequest, SessionPath } from "@/lib/wire/requests";

export function GET(request: Request, { params }: SessionContext): Promise<Response> {
  const answer = async ({ catalog, sessions, secrets }: Library) => {
    const { id } = await parsePath(params, SessionPath);
    const { format, redact, except, ...wanted } = parseSearchParams(request, ExportRequest);
    await catalog.settle(id);
    const redaction = redact ? await secrets.redaction(id, except) : null;
    const choice = await choose(sessions, id, wanted);
    const settings = { format, redaction, choice };
    return downloadResponse(await exportSession(sessions, catalog.sessionFiles(id), settings));
  };
  return respond(request, answer);
}
