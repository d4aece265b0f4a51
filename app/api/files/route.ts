import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { sessionsOfFile } from "@/lib/server/search/line-origin";
import { FileSessionsRequest } from "@/lib/wire/requests/files";

export const GET = ownerRoute({ query: FileSessionsRequest }, async ({ state, query: { path, ...page } }) => {
  await freshCatalog(state);
  return sessionsOfFile(state, path, page);
});
