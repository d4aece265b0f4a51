import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { rangeOf } from "@/lib/server/library/days";
import { PromptsRequest } from "@/lib/wire/requests/prompts";

export const GET = ownerRoute({ query: PromptsRequest }, async ({ state, query }) => {
  await freshCatalog(state);
  return state.prompts.list({ ...query, ...rangeOf(query) });
});
