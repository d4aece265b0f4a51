import { choose } from "@/lib/server/export/chosen-part";
import { exportSizes } from "@/lib/server/export/export-sizes";
import { sessionRoute } from "@/lib/server/http/route";
import { ExportSizesRequest } from "@/lib/wire/requests";

export const GET = sessionRoute(
  { query: ExportSizesRequest },
  async ({ request: { signal }, library, sessions, id, query: { redact, except, ...wanted } }) => {
    const redaction = redact ? await library.secrets.redaction(id, except) : null;
    const choice = await choose(sessions, id, { ...wanted, digest: null });
    return exportSizes(sessions, library.catalog.sessionFiles(id), { redaction, choice }, { signal });
  },
);
