import { choose } from "@/lib/server/export/chosen-part";
import { exportSession } from "@/lib/server/export/export-session";
import { downloadResponse, mayDownload } from "@/lib/server/http/download";
import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { respond, type SessionContext } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { ExportRequest, SessionPath } from "@/lib/wire/requests";

export function GET(request: Request, { params }: SessionContext): Promise<Response> {
  const answer = async () => {
    const { id } = await parsePath(params, SessionPath);
    const { format, redact, except, ...wanted } = parseSearchParams(request, ExportRequest);
    const { catalog, sessions, secrets } = getState();
    await catalog.settle(id);
    const redaction = redact ? await secrets.redaction(id, except) : null;
    const choice = await choose(sessions, id, wanted);
    const settings = { format, redaction, choice };
    return downloadResponse(await exportSession(sessions, catalog.sessionFiles(id), settings));
  };
  return respond(request, answer, mayDownload);
}
