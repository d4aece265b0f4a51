import { choose } from "@/lib/server/export/chosen-part";
import { exportSizes } from "@/lib/server/export/export-sizes";
import { sessionRoute } from "@/lib/server/http/route";
import { EXPORT_FORMAT_IDS } from "@/lib/wire/export-formats.mjs";
import { ExportSizesRequest } from "@/lib/wire/requests/exports";

export const GET = sessionRoute(
  { query: ExportSizesRequest },
  async ({ request: { signal }, library, sessions, id, query }) => {
    const { format, redact, except, tilde, relative, ...wanted } = query;
    const asked = { redact, except };
    const redaction = await library.secrets.rewriting(id, { ...asked, tilde: false, relative: false });
    const isShort = tilde || relative;
    const shortened = isShort
      ? await library.secrets.rewriting(id, { ...asked, tilde, relative })
      : redaction;
    const choice = await choose(sessions, id, { ...wanted, digest: null });
    return exportSizes(
      sessions,
      library.catalog.sessionFiles(id),
      { redaction, shortened, choice },
      { signal, formats: format === null ? EXPORT_FORMAT_IDS : [format] },
    );
  },
);
