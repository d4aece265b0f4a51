import { z } from "zod";
import { exportSession } from "@/lib/server/export/export-session";
import { downloadResponse, mayDownload } from "@/lib/server/http/download";
import { parsePath, parseSearchParams } from "@/lib/server/http/parameters";
import { respond, type SessionContext } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { EXPORT_FORMAT_IDS, EXPORT_FORMATS } from "@/lib/wire/export-formats.mjs";
import { SessionPath } from "@/lib/wire/requests";

const Query = z.object({ format: z.enum(EXPORT_FORMAT_IDS) });

export function GET(request: Request, { params }: SessionContext): Promise<Response> {
  const answer = async () => {
    const { id } = await parsePath(params, SessionPath);
    const { format } = parseSearchParams(request, Query);
    const { catalog, sessions } = getState();
    await catalog.settle(id);
    const pieces = exportSession(sessions, catalog.sessionFiles(id), format);
    const { extension, mediaType } = EXPORT_FORMATS[format];
    return downloadResponse(pieces, `${id}.${extension}`, mediaType);
  };
  return respond(request, answer, mayDownload);
}
