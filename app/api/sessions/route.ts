import { freshCatalog } from "@/lib/server/http/library";
import { ownerRoute } from "@/lib/server/http/route";
import { sessionFilter } from "@/lib/server/search/match-session";
import { SessionsRequest } from "@/lib/wire/requests";

export const GET = ownerRoute({ query: SessionsRequest }, async ({ state, query: { q, zone, ...query } }) => {
  const catalog = await freshCatalog(state);
  const { problems, ...filter } = sessionFilter(state, q, zone);
  return { ...catalog.sessions({ ...query, ...filter }), problems };
});
