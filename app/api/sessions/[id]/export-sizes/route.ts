import { choose } from "@/lib/server/export/chosen-part";
import { exportSizes } from "@/lib/server/export/export-sizes";
import { commentsInExport } from "@/lib/server/http/annotations";
import { sessionRoute } from "@/lib/server/http/route";
import { EXPORT_FORMAT_IDS } from "@/lib/wire/export-formats.mjs";
import { ExportSizesRequest } from "@/lib/wire/requests/exports";

export const GET = sessionRoute({ query: ExportSizesRequest }, async ({ id, query, ...asker }) => {
  const { library, sessions, request } = asker;
  const { format, redact, except, tilde, relative, comments, ...wanted } = query;
  const asked = { redact, except };
  const redaction = await library.secrets.rewriting(id, { ...asked, tilde: false, relative: false });
  const isShort = tilde || relative;
  const shortened = isShort ? await library.secrets.rewriting(id, { ...asked, tilde, relative }) : redaction;
  const choice = await choose(sessions, id, { ...wanted, digest: null });
  return exportSizes(
    sessions,
    library.catalog.sessionFiles(id),
    {
      ...{ redaction, shortened, choice },
      comments: comments ? await commentsInExport(id, shortened, asker) : null,
    },
    { signal: request.signal, formats: format === null ? EXPORT_FORMAT_IDS : [format] },
  );
});
