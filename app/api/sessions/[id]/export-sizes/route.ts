import { choose } from "@/lib/server/export/chosen-part";
import { exportSizes } from "@/lib/server/export/export-sizes";
import { sessionRoute } from "@/lib/server/http/route";
import { ExportSizesRequest } from "@/lib/wire/requests";

export const GET = sessionRoute(
  { query: ExportSizesRequest },
  async ({ request: { signal }, library, sessions, id, query: { redact, except, tilde, ...wanted } }) => {
    const asked = { redact, except };
    const redaction = await library.secrets.rewriting(id, { ...asked, tilde: false });
    const shortened = tilde ? await library.secrets.rewriting(id, { ...asked, tilde }) : redaction;
    const choice = await choose(sessions, id, { ...wanted, digest: null });
    return exportSizes(
      sessions,
      library.catalog.sessionFiles(id),
      { redaction, shortened, choice },
      { signal },
    );
  },
);
