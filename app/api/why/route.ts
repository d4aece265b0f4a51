import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { lineOrigin } from "@/lib/server/search/line-origin";
import { WhyRequest } from "@/lib/wire/requests/files";

export const GET = ownerRoute({ query: WhyRequest }, async ({ state, query }) => {
  await freshCatalog(state);
  return lineOrigin(state, query);
});
