import { clsx } from "clsx";
import { useProjects } from "@/lib/client/queries";
import { projectNames } from "@/lib/format/text";
import type { ProjectId } from "@/lib/wire/ids";

/** One of the projects, or all of them (`null`). */
export function ProjectChoice({
  project,
  onChange,
  className,
}: {
  project: ProjectId | null;
  onChange: (project: ProjectId | null) => void;
  className: string;
}) {
  const projects = useProjects().data ?? [];
  return (
    <select
      aria-label="Project"
      value={project ?? ""}
      onChange={({ target }) => onChange(projects.find(({ id }) => id === target.value)?.id ?? null)}
      className={clsx("h-control rounded-2 border border-line-3 bg-bg px-1 text-12", className)}
    >
      <option value="">All projects</option>
      {[...projectNames(projects)].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
