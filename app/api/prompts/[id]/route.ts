import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { rangeOf } from "@/lib/server/library/days";
import { PromptPath, PromptUsesRequest } from "@/lib/wire/requests/prompts";

export const GET = ownerRoute(
  { path: PromptPath, query: PromptUsesRequest },
  async ({ state, path, query }) => {
    await freshCatalog(state);
    return state.prompts.uses(path.id, { ...query, ...rangeOf(query) });
  },
);
