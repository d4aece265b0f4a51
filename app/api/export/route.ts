import { exportMany } from "@/lib/server/export/export-many";
import { downloadResponse } from "@/lib/server/http/download";
import { freshCatalog } from "@/lib/server/http/health";
import { parseSearchParams } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { ManyExportRequest } from "@/lib/wire/requests";

export function GET(request: Request): Promise<Response> {
  return respond(request, async (library) => {
    const { sessions: wanted, redact, ...rest } = parseSearchParams(request, ManyExportRequest);
    const catalog = await freshCatalog(library);
    const redactionOf = redact ? library.secrets.redaction.bind(library.secrets) : null;
    return downloadResponse(exportMany(catalog, library.sessions, wanted, { ...rest, redactionOf }));
  });
}
