import { choose } from "@/lib/server/export/chosen-part";
import { checkShortPaths, exportSession } from "@/lib/server/export/export-session";
import { commentsInExport } from "@/lib/server/http/annotations";
import { downloadResponse } from "@/lib/server/http/respond";
import { sessionRoute } from "@/lib/server/http/route";
import { ExportRequest } from "@/lib/wire/requests/exports";

export const GET = sessionRoute({ query: ExportRequest }, async ({ id, query, ...asker }) => {
  const { library, sessions } = asker;
  const { format, redact, except, tilde, relative, comments, ...wanted } = query;
  if (tilde || relative) checkShortPaths(format);
  const redaction = await library.secrets.rewriting(id, { redact, except, tilde, relative });
  const choice = await choose(sessions, id, wanted);
  const { access } = library;
  const leftOut = access.kind === "share" ? access.without : [];
  const settings = {
    ...{ format, redaction, choice, leftOut },
    comments: comments ? await commentsInExport(id, redaction, asker) : null,
  };
  return downloadResponse(await exportSession(sessions, library.catalog.sessionFiles(id), settings));
});
