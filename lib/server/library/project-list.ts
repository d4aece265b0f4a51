import type { ProjectId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import type { ShelfEntry } from "./session-shelf";

/** Sessions grouped by working directory, last active first. */
export function toProjects(entries: readonly ShelfEntry[]): Project[] {
  const byId = new Map<ProjectId, Project>();
  for (const { files, summary, draft } of entries) {
    const project = byId.get(files.projectId) ?? {
      id: files.projectId,
      path: files.projectPath,
      pathGuessed: true,
      sessions: 0,
      bytes: 0,
      lastActiveAtMs: null,
      running: 0,
    };
    project.pathGuessed &&= draft.pathGuessed;
    project.sessions += 1;
    project.bytes += summary.bytes;
    project.lastActiveAtMs = latest(project.lastActiveAtMs, summary.lastActiveAtMs);
    if (summary.state === "running" || summary.state === "waiting") project.running += 1;
    byId.set(project.id, project);
  }
  return [...byId.values()].sort(
    (a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0) || (a.path < b.path ? -1 : 1),
  );
}

function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
