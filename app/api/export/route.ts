import { exportMany } from "@/lib/server/export/export-many";
import { freshCatalog } from "@/lib/server/http/library";
import { downloadResponse } from "@/lib/server/http/respond";
import { ownerRoute } from "@/lib/server/http/route";
import { ManyExportRequest } from "@/lib/wire/requests";

export const GET = ownerRoute({ query: ManyExportRequest }, async ({ state, query }) => {
  const { sessions: wanted, redact, ...rest } = query;
  const catalog = await freshCatalog(state);
  const redactionOf = redact ? state.secrets.redaction.bind(state.secrets) : null;
  return downloadResponse(exportMany(catalog, state.sessions, wanted, { ...rest, redactionOf }));
});
