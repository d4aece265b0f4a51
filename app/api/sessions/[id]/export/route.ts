import { exportSession } from "@/lib/server/export/export-session";
import { downloadResponse } from "@/lib/server/http/download";
import type { Library } from "@/lib/server/http/library";
import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { respond, type SessionContext } from "@/lib/server/http/respond";
import { EXPORT_FORMATS } from "@/lib/wire/export-formats.mjs";
import { ExportRequest, SessionPath } from "@/lib/wire/requests";

export function GET(request: Request, { params }: SessionContext): Promise<Response> {
  const answer = async ({ catalog, sessions, secrets }: Library) => {
    const { id } = await parsePath(params, SessionPath);
    const { format, redact, except } = parseSearchParams(request, ExportRequest);
    await catalog.settle(id);
    const redaction = redact ? await secrets.redaction(id, except) : null;
    const pieces = exportSession(sessions, catalog.sessionFiles(id), format, redaction);
    const { extension, mediaType } = EXPORT_FORMATS[format];
    const name = redaction ? redaction.redactText(id).replace(/[^\w.~-]+/g, "-") : id;
    return downloadResponse(pieces, `${name}.${extension}`, mediaType);
  };
  return respond(request, answer);
}
