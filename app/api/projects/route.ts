import { freshCatalog } from "@/lib/server/fresh-catalog";
import { respond } from "@/lib/server/respond";
import { getState } from "@/lib/server/state";
import { projectTotals } from "@/lib/server/totals/project-totals";
import type { ProjectsResponse } from "@/lib/wire/library";

export function GET(request: Request): Promise<Response> {
  return respond(request, async (): Promise<ProjectsResponse> => {
    const catalog = await freshCatalog(getState());
    return projectTotals(catalog, getState().scanner.totals);
  });
}
