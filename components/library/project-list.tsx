import { Folder } from "lucide-react";
import { useState } from "react";
import { Icon } from "@/components/ui/icon";
import { LiveDot } from "@/components/ui/running-ring";
import { formatCount } from "@/lib/format/format-count";
import { shortenHome, splitPath } from "@/lib/format/split-path";
import type { ListedProject } from "@/lib/wire/library";
import { PlaceLink } from "./place-link";
import { totalWords } from "./total-words";
import { useLibraryFilters } from "./use-library-filters";

const FIRST = 20;

/** Projects by last activity, twenty until more are asked for. */
export function ProjectList({ projects }: { projects: readonly ListedProject[] }) {
  const [filters] = useLibraryFilters();
  const [all, setAll] = useState(false);
  const shown = all ? projects : projects.filter(({ id }, index) => index < FIRST || id === filters.project);
  const hidden = projects.length - shown.length;
  return (
    <>
      {shown.map((project) => {
        const { name, folder } = splitPath(shortenHome(project.path));
        return (
          <PlaceLink
            key={project.id}
            to={{ project: project.id, running: false }}
            current={filters.project === project.id}
            mark={project.running > 0 ? <LiveDot /> : <Icon of={Folder} className="text-spine" />}
            count={formatCount(project.sessions)}
            title={titleOf(project)}
          >
            {name} <span className="text-11 text-fg-3">{folder}</span>
            {project.pathGuessed ? <span className="text-11 text-fg-3"> ?</span> : null}
          </PlaceLink>
        );
      })}
      {hidden > 0 ? (
        <button
          type="button"
          className="h-[26px] w-full px-3 pl-9 text-left text-fg-3 -outline-offset-2! hover:text-fg"
          onClick={() => setAll(true)}
        >
          {formatCount(hidden)} more
        </button>
      ) : null}
    </>
  );
}

function titleOf({ path, pathGuessed, totals }: ListedProject): string {
  const place = pathGuessed ? `${path} (read from the folder’s name)` : path;
  return totals ? `${place}\n${totalWords(totals)}` : place;
}
