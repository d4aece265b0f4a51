import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { ProjectsResponse } from "@/lib/wire/library";
import type { Catalog } from "./catalog";
import type { LibraryTotals } from "./library-totals";

/** All projects with the totals of their sessions, and the totals over everything. */
export function projectTotals(catalog: Catalog, totals: LibraryTotals): ProjectsResponse {
  const byProject = new Map<ProjectId, SessionId[]>();
  for (const { id, projectId, problem } of catalog.summaries()) {
    const ids = byProject.get(projectId) ?? [];
    byProject.set(projectId, ids);
    // A session that cannot be read contributes nothing.
    if (problem === null || totals.has(id)) ids.push(id);
  }
  return {
    projects: catalog
      .projects()
      .map((project) => ({ ...project, totals: totals.of(project.id, byProject.get(project.id) ?? []) })),
    totals: totals.of("everything", countedSessions(catalog, totals)),
  };
}

/** The sessions that totals are computed from: all except those that cannot be read. */
export function countedSessions(catalog: Catalog, totals: LibraryTotals): SessionId[] {
  return catalog.summaries().flatMap(({ id, problem }) => (problem === null || totals.has(id) ? [id] : []));
}
