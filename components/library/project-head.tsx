import { clsx } from "clsx";
import { Ellipsis, Eye, EyeOff, Star, StickyNote } from "lucide-react";
import { toggleProjectHidden, toggleProjectStar } from "@/components/annotations/organise";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button, IconButton } from "@/components/ui/button";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem } from "@/components/ui/menu";
import { StateBar } from "@/components/ui/states";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useProjects } from "@/lib/client/queries";
import { formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { parseQuery } from "@/lib/query/parse-query";
import type { ListedProject } from "@/lib/wire/library";
import { useLibraryFilters } from "./library-filters";
import type { LibraryList } from "./use-library";

/** The actions on a project, each with its current name. */
function projectActions(project: ListedProject) {
  const { id, marks } = project;
  return {
    star: {
      label: marks?.starred ? "Remove the project’s star" : "Star this project",
      run: () => toggleProjectStar([project]),
    },
    note: {
      label: marks?.note ? "Edit the project’s note" : "Note on this project",
      run: () => openPageDialog({ project: id }),
    },
    hidden: {
      label: marks?.hidden ? "Show in the library again" : "Hide from the library",
      icon: marks?.hidden ? Eye : EyeOff,
      run: () => toggleProjectHidden([project]),
    },
  };
}

/** Beside the chosen project's name: its star, its note, and the button to hide it. */
export function ProjectButtons({ project }: { project: ListedProject }) {
  const { star, note, hidden } = projectActions(project);
  const starred = project.marks?.starred === true;
  return (
    <span className="flex flex-none items-center">
      <IconButton
        icon={Star}
        small
        label={star.label}
        pressed={starred}
        className={clsx("border-transparent! bg-transparent!", starred && "text-edit! [&_svg]:fill-current")}
        onClick={star.run}
      />
      <IconButton icon={StickyNote} small label={note.label} keys="T" onClick={note.run} />
      <IconButton icon={hidden.icon} small label={hidden.label} onClick={hidden.run} />
    </span>
  );
}

/** At the end of a project's line in the left column, while the pointer or the focus is on it. */
export function ProjectMenu({ project, name }: { project: ListedProject; name: string }) {
  const { star, note, hidden } = projectActions(project);
  return (
    <Menu
      label={`Project ${name}`}
      trigger={
        <Button
          kind="quiet"
          aria-label={labelHidden(`Star, note or hide ${name}`)}
          className="absolute top-px right-1.5 w-6 justify-center bg-raised px-0! opacity-0 group-focus-within/project:opacity-100 group-hover/project:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
        >
          <Icon of={Ellipsis} small />
        </Button>
      }
    >
      <MenuItem icon={Star} onSelect={star.run}>
        {star.label}
      </MenuItem>
      <MenuItem icon={StickyNote} onSelect={note.run}>
        {note.label}
      </MenuItem>
      <MenuItem icon={hidden.icon} onSelect={hidden.run}>
        {hidden.label}
      </MenuItem>
    </Menu>
  );
}

/** Above the sessions of a chosen project: its note, and that it is hidden. */
export function ProjectNotices() {
  const [filters] = useLibraryFilters();
  const project = useProjects().data?.find(({ id }) => id === filters.project);
  if (!project?.marks) return null;
  const { note, hidden } = project.marks;
  return (
    <>
      {hidden && (
        <StateBar
          tone="notice"
          action={
            <Button kind="quiet" onClick={() => toggleProjectHidden([project])}>
              Show it again
            </Button>
          }
        >
          This project is hidden: the library lists its sessions here alone, and with is:hidden
        </StateBar>
      )}
      {note !== null && (
        <button
          type="button"
          aria-label={labelHidden(`Edit the project’s note: ${note}`)}
          className="flex flex-none items-start gap-2 border-b border-line bg-panel px-3 py-1.5 text-left text-12/[17px] -outline-offset-2! hover:bg-raised"
          onClick={() => openPageDialog({ project: project.id })}
        >
          <span className="flex h-[1lh] flex-none items-center text-fg-3">
            <Icon of={StickyNote} small />
          </span>
          <span className="line-clamp-3 min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap">
            <VisibleText text={note} />
          </span>
        </button>
      )}
    </>
  );
}

/** Below the list, while sessions are left out because they, or their projects, are hidden. */
export function HiddenLine({ library: { hidden, settled } }: { library: LibraryList }) {
  const [{ q }, setFilters] = useLibraryFilters();
  if (hidden === 0 || !settled) return null;
  const asked = parseQuery(q).query?.kind === "or" ? `(${q})` : q;
  return (
    <div
      ref={bottomBar}
      className="flex min-h-7 flex-none items-center gap-1 border-t border-line bg-panel px-3 text-12 text-fg-2"
    >
      <Icon of={EyeOff} small className="mr-1 text-fg-3" />
      {formatPlural(hidden, "session is", "sessions are")} hidden
      <Button
        kind="quiet"
        className="text-accent!"
        onClick={() => setFilters({ q: `${asked} is:hidden`.trim() }, { history: "push" })}
      >
        Show {hidden === 1 ? "it" : "them"}
      </Button>
    </div>
  );
}
