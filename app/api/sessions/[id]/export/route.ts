import { choose } from "@/lib/server/export/chosen-part";
import { exportSession } from "@/lib/server/export/export-session";
import { downloadResponse } from "@/lib/server/http/respond";
import { sessionRoute } from "@/lib/server/http/route";
import { ExportRequest } from "@/lib/wire/requests";

export const GET = sessionRoute({ query: ExportRequest }, async ({ library, sessions, id, query }) => {
  const { format, redact, except, ...wanted } = query;
  const redaction = redact ? await library.secrets.redaction(id, except) : null;
  const choice = await choose(sessions, id, wanted);
  const settings = { format, redaction, choice };
  return downloadResponse(await exportSession(sessions, library.catalog.sessionFiles(id), settings));
});
