import { ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { useProjects } from "@/lib/client/use-projects";
import { formatCount } from "@/lib/format/format-count";
import { splitPath } from "@/lib/format/split-path";
import { useLibraryFilters } from "./use-library-filters";

/** The projects, where the page is too narrow for their column. */
export function ProjectMenu() {
  const [filters, setFilters] = useLibraryFilters();
  const projects = useProjects().data ?? [];
  const chosen = projects.find(({ id }) => id === filters.project);
  return (
    <Menu
      label="Project"
      trigger={
        <Button className="max-w-44">
          <span className="truncate">{chosen ? splitPath(chosen.path).name : "All projects"}</span>
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      <MenuChoice chosen={!chosen} onSelect={() => setFilters({ project: null })}>
        All projects
      </MenuChoice>
      <MenuLine />
      {projects.map((project) => (
        <MenuChoice
          key={project.id}
          chosen={project === chosen}
          aside={formatCount(project.sessions)}
          onSelect={() => setFilters({ project: project.id })}
        >
          {project.path}
        </MenuChoice>
      ))}
    </Menu>
  );
}
