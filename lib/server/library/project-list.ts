import type { ProjectMarks } from "@/lib/wire/annotations";
import type { ProjectId } from "@/lib/wire/ids";
import { isHidden, isRunning, type Project } from "@/lib/wire/library";
import type { SessionEntry } from "./session-registry";

/** Sessions grouped by working directory, last active first. */
export function toProjects(
  entries: readonly SessionEntry[],
  marksOf: (id: ProjectId) => ProjectMarks | null,
): Project[] {
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
      hiddenSessions: 0,
      marks: marksOf(files.projectId),
    };
    project.pathGuessed &&= draft.pathGuessed;
    project.sessions += 1;
    project.bytes += summary.bytes;
    project.lastActiveAtMs = latest(project.lastActiveAtMs, summary.lastActiveAtMs);
    if (isRunning(summary)) project.running += 1;
    if (isHidden(summary)) project.hiddenSessions += 1;
    byId.set(project.id, project);
  }
  return [...byId.values()].sort(
    (a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0) || (a.path < b.path ? -1 : 1),
  );
}

function latest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
