import { freshCatalog } from "@/lib/server/http/health";
import { respond } from "@/lib/server/http/respond";
import { getState } from "@/lib/server/http/state";
import { projectTotals } from "@/lib/server/library/project-totals";
import type { ProjectsResponse } from "@/lib/wire/library";

export function GET(request: Request): Promise<Response> {
  return respond(request, async (): Promise<ProjectsResponse> => {
    const catalog = await freshCatalog(getState());
    return projectTotals(catalog, getState().scanner.totals);
  });
}
