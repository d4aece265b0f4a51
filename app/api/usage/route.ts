import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { rangeOf } from "@/lib/server/library/days";
import { usageOf } from "@/lib/server/library/usage";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { UsageRequest } from "@/lib/wire/requests/usage";
import type { UsageResponse } from "@/lib/wire/usage";

export const GET = ownerRoute({ query: UsageRequest }, async ({ state, query }): Promise<UsageResponse> => {
  const catalog = await freshCatalog(state);
  const asked = { ...query, ...rangeOf(query) };
  return usageOf(catalog, state.scanner.totals, asked, pricesInUse().table.asOf);
});
