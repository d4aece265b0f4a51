import { z } from "zod";
import { freshCatalog } from "@/lib/server/fresh-catalog";
import { ProjectIdParam, pageParams, parseQuery } from "@/lib/server/parameters";
import { respond } from "@/lib/server/respond";
import { sessionFilter } from "@/lib/server/search/match-session";
import { getState } from "@/lib/server/state";

const Query = z.object({
  project: ProjectIdParam.nullable().default(null),
  q: z.string().max(1000).nullable().default(null),
  sort: z
    .enum(["active", "started", "title", "bytes", "turns", "tools", "errors", "tokens"])
    .default("active"),
  ...pageParams,
});

export function GET(request: Request): Promise<Response> {
  return respond(request, async () => {
    const { q, ...query } = parseQuery(request, Query);
    const state = getState();
    const catalog = await freshCatalog(state);
    const { keep, problems } = sessionFilter(state, q);
    return { ...catalog.sessions({ ...query, keep }), problems };
  });
}
