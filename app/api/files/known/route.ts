import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { knownFiles } from "@/lib/server/search/known-files";
import { KnownFilesRequest } from "@/lib/wire/requests/files";

export const GET = ownerRoute({ query: KnownFilesRequest }, async ({ state, query: { q, limit } }) => {
  await freshCatalog(state);
  return knownFiles(state, q, limit);
});
