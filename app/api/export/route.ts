import { exportMany } from "@/lib/server/export/export-many";
import { downloadResponse, mayDownload } from "@/lib/server/http/download";
import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { ManyExportRequest } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  const answer = async () => {
    const { sessions: wanted, redact, ...rest } = parseSearchParams(request, ManyExportRequest);
    const state = getState();
    const catalog = await freshCatalog(state);
    const redactionOf = redact ? state.secrets.redaction.bind(state.secrets) : null;
    return downloadResponse(exportMany(catalog, state.sessions, wanted, { ...rest, redactionOf }));
  };
  return respond(request, answer, mayDownload);
}
