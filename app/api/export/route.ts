import { exportMany } from "@/lib/server/export/export-many";
import { checkComments, checkShortPaths } from "@/lib/server/export/export-session";
import { commentsOfOwner } from "@/lib/server/http/annotations";
import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { downloadResponse } from "@/lib/server/http/respond";
import { ownerRoute } from "@/lib/server/http/route";
import type { SessionId } from "@/lib/wire/ids";
import { ManyExportRequest } from "@/lib/wire/requests/exports";

export const GET = ownerRoute({ query: ManyExportRequest }, async ({ state, query }) => {
  const { sessions: wanted, redact, tilde, relative, comments, ...rest } = query;
  if (tilde || relative) checkShortPaths(rest.format);
  if (comments) checkComments(rest.format);
  const catalog = await freshCatalog(state);
  const redactionOf = (id: SessionId) => state.secrets.rewriting(id, { redact, tilde, relative });
  const commentsOf = comments ? commentsOfOwner : null;
  return downloadResponse(exportMany(catalog, state.sessions, wanted, { ...rest, redactionOf, commentsOf }));
});
