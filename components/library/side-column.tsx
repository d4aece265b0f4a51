import { Circle, Search, TextAlignStart } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { printKey } from "@/components/ui/print-key";
import { LiveDot } from "@/components/ui/running-ring";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { useProjects } from "@/lib/client/use-projects";
import { formatCount } from "@/lib/format/format-count";
import { IndexingStatus } from "./indexing-status";
import { PlaceLink } from "./place-link";
import { ProjectList } from "./project-list";
import { useLibraryFilters } from "./use-library-filters";

/** The left column: everything, what runs, the projects; at its foot how far the indexing is. */
export function SideColumn() {
  const [filters] = useLibraryFilters();
  const projects = useProjects().data ?? [];
  const sessions = projects.reduce((sum, project) => sum + project.sessions, 0);
  const running = projects.reduce((sum, project) => sum + project.running, 0);
  const everything = !filters.project && !filters.running;
  return (
    <aside
      aria-label="Projects"
      className="flex flex-col overflow-hidden border-r border-line-2 bg-panel max-md:hidden"
    >
      <div className="border-b border-line px-3 py-2">
        <button
          type="button"
          className="flex h-7 w-full items-center gap-1.5 rounded-2 border border-line-3 bg-bg px-2 text-12 text-fg-3"
          onClick={() => openPageDialog("go-to")}
        >
          <Icon of={Search} small />
          <span className="flex-1 text-left">Search or go to…</span>
          <Kbd>{printKey("mod+k")}</Kbd>
        </button>
      </div>
      <nav aria-label="Sessions by place" tabIndex={-1} className="min-h-0 flex-1 overflow-auto py-1">
        <PlaceLink
          to={{ project: null, running: true }}
          current={filters.running && !filters.project}
          mark={running > 0 ? <LiveDot /> : <Icon of={Circle} small className="text-spine" />}
          count={formatCount(running)}
        >
          Running now
        </PlaceLink>
        <PlaceLink
          to={{ project: null, running: false }}
          current={everything}
          mark={<Icon of={TextAlignStart} />}
          count={formatCount(sessions)}
        >
          All sessions
        </PlaceLink>
        {projects.length > 0 ? <h2 className="px-3 pt-3 pb-1 text-11 text-fg-3">Projects</h2> : null}
        <ProjectList projects={projects} />
      </nav>
      <IndexingStatus />
    </aside>
  );
}
