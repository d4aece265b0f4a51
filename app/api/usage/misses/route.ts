import { freshCatalog } from "@/lib/server/http/health";
import { ownerRoute } from "@/lib/server/http/route";
import { UsageMissesRequest } from "@/lib/wire/requests";

export const GET = ownerRoute({ query: UsageMissesRequest }, async ({ state, query }) => {
  await freshCatalog(state);
  const { from, to, ...asked } = query;
  const times = { fromMs: from?.startMs ?? null, toMs: to?.endMs ?? null };
  return state.misses.answer(state.scanner.totals, { ...asked, ...times });
});
