import { freshCatalog } from "@/lib/server/fresh-catalog";
import { respond } from "@/lib/server/respond";
import { getState } from "@/lib/server/state";
import type { ProjectsResponse } from "@/lib/wire/library";

export function GET(request: Request): Promise<Response> {
  return respond(request, async (): Promise<ProjectsResponse> => {
    const catalog = await freshCatalog(getState());
    return { projects: catalog.projects() };
  });
}
