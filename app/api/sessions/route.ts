import { z } from "zod";
import { freshCatalog } from "@/lib/server/http/health";
import { ProjectIdParam, pageParams, parseQuery } from "@/lib/server/http/parameters";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { sessionFilter } from "@/lib/server/search/match-session";

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
