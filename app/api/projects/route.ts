import { freshCatalog } from "@/lib/server/http/fresh-catalog";
import { ownerRoute } from "@/lib/server/http/route";
import { projectTotals } from "@/lib/server/library/project-totals";
import type { ProjectsResponse } from "@/lib/wire/library";

export const GET = ownerRoute({}, async ({ state }): Promise<ProjectsResponse> => {
  const catalog = await freshCatalog(state);
  return projectTotals(catalog, state.scanner.totals);
});
