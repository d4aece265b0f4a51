import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { rangeOf } from "@/lib/server/library/days";
import { UsagePromptsRequest } from "@/lib/wire/requests/usage";

export const GET = ownerRoute({ query: UsagePromptsRequest }, async ({ state, query }) => {
  await freshCatalog(state);
  const { from, to, zone, ...asked } = query;
  return state.prompts.costliest({ ...asked, ...rangeOf({ from, to, zone }) });
});
