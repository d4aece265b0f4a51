import { ChevronDown, Columns2, Download, EyeOff, Star, Tag, X } from "lucide-react";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import {
  toggleHidden,
  toggleProjectHidden,
  toggleProjectStar,
  toggleStar,
  useOrganiseKeys,
  useProjectKeys,
} from "@/components/annotations/organise";
import { Button, IconButton } from "@/components/ui/button";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useKeys } from "@/lib/client/key-registry";
import { Listeners } from "@/lib/client/listeners";
import { useProjects } from "@/lib/client/queries";
import { formatPlural } from "@/lib/format/format";
import { toggled } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";
import type { ListedProject, SessionSummary } from "@/lib/wire/library";
import { ExportMenu, exportName } from "./export-menu";
import { useLibraryFilters } from "./library-filters";

/*
 * The sessions that were selected in the library, for actions on all of them. They stay selected while filters change,
 * and until the page is left.
 */
let selected: ReadonlySet<SessionId> = new Set();
/** Rows are selected by a click or tap, and do not open: a finger has no key for it. */
let isSelecting = false;
const listeners = new Listeners();

function select(next: ReadonlySet<SessionId>, selecting = isSelecting): void {
  selected = next;
  isSelecting = selecting;
  listeners.tell();
}

/** Has rows be selected by a click or tap, or opens them again and selects none. */
export function toggleSelecting(): void {
  select(isSelecting ? new Set() : selected, !isSelecting);
}

/** Whether rows are selected by a click or tap. */
export function useIsSelecting(): boolean {
  return useSyncExternalStore(
    listeners.add,
    () => isSelecting,
    () => false,
  );
}

/** Selects a session, or no longer. */
export function toggleSelected(id: SessionId): void {
  select(toggled(selected, id));
}

/** Whether a session is selected. */
export function useIsSelected(id: SessionId): boolean {
  return useSyncExternalStore(
    listeners.add,
    () => selected.has(id),
    () => false,
  );
}

/** The keys that select and organise sessions: those listed that are selected, or else the current one. */
export function useSelectionKeys(shown: readonly SessionSummary[], current: SessionSummary | null): void {
  const openPage = useOpenPage();
  const chosen = () => {
    const here = shown.filter(({ id }) => selected.has(id));
    return here.length === 0 && current ? [current] : here;
  };
  useOrganiseKeys(chosen);
  const projects = useProjects().data ?? [];
  const [{ project }] = useLibraryFilters();
  useProjectKeys(() => {
    const here = projects.filter(({ id }) => id === project);
    const isSelected = shown.some(({ id }) => selected.has(id));
    return !isSelected && here.length > 0 ? here : projectsOf(chosen(), projects);
  });
  useKeys([
    {
      keys: ["x"],
      label: "select, to act on several",
      group: "Mark and organise",
      when: () => current !== null,
      run: () => current && toggleSelected(current.id),
    },
    {
      keys: ["="],
      label: "compare the two selected sessions",
      group: "Views and panes",
      when: () => compareHref(chosen()) !== null,
      run: () => openPage(compareHref(chosen()) ?? "/"),
    },
    {
      keys: ["Escape"],
      label: "select none",
      group: "Mark and organise",
      when: () => selected.size > 0 || isSelecting,
      run: selectNone,
    },
  ]);
}

function selectNone(): void {
  select(new Set(), false);
}

function projectsOf(
  sessions: readonly SessionSummary[],
  projects: readonly ListedProject[],
): ListedProject[] {
  const ids = new Set(sessions.map(({ projectId }) => projectId));
  return projects.filter(({ id }) => ids.has(id));
}

/** The page that compares two sessions, the older one on the left; `null` for any other number. */
function compareHref(chosen: readonly SessionSummary[]): string | null {
  const [right, left] = chosen.toSorted((a, b) => (b.startedAtMs ?? 0) - (a.startedAtMs ?? 0));
  if (!left || !right || chosen.length !== 2) return null;
  return `/sessions/${encodeURIComponent(left.id)}?view=compare&right=${encodeURIComponent(right.id)}`;
}

/** A bar while sessions are or can be selected, with the actions on them; below the list, so that it moves no row. */
export function SelectionBar({ shown }: { shown: readonly SessionSummary[] }) {
  const all = useSyncExternalStore(
    listeners.add,
    () => selected,
    () => selected,
  );
  const selecting = useIsSelecting();
  const openPage = useOpenPage();
  // Not part of the list, which is replaced with each filter.
  useEffect(() => selectNone, []);
  const chosen = shown.filter(({ id }) => all.has(id));
  const compared = compareHref(chosen);
  const projects = projectsOf(chosen, useProjects().data ?? []);
  if (chosen.length === 0)
    return selecting ? (
      <SelectionFrame>
        <span role="status" className="mr-2 flex-1 text-fg-2">
          Choose sessions in the list
        </span>
        <IconButton icon={X} small label="End selecting" keys="Esc" onClick={selectNone} />
      </SelectionFrame>
    ) : null;
  return (
    <SelectionFrame>
      <span role="status" className="mr-2 font-semibold tabular-nums">
        {formatPlural(chosen.length, "session")} selected
      </span>
      <Button kind="quiet" title="*" onClick={() => toggleStar(chosen)}>
        <Icon of={Star} small />
        {areAll(chosen, "starred") ? "Remove star" : "Star"}
      </Button>
      <Button kind="quiet" title="t" onClick={() => openPageDialog({ organise: chosen.map(({ id }) => id) })}>
        <Icon of={Tag} small />
        Tags
      </Button>
      <Button kind="quiet" title="H" onClick={() => toggleHidden(chosen)}>
        <Icon of={EyeOff} small />
        {areAll(chosen, "hidden") ? "Show again" : "Hide"}
      </Button>
      {projects.length > 0 && <ProjectsMenu projects={projects} />}
      {compared && (
        <Button kind="quiet" title="=" onClick={() => openPage(compared)}>
          <Icon of={Columns2} small />
          Compare
        </Button>
      )}
      <ExportMenu
        sessions={chosen}
        trigger={
          <Button kind="quiet" aria-label={exportName(chosen)} className="max-sm:px-1">
            <Icon of={Download} small />
            <span className="max-sm:hidden">Export</span>
          </Button>
        }
      />
      <span className="flex-1" />
      {chosen.length < shown.length && (
        <Button
          kind="quiet"
          className="max-sm:hidden"
          onClick={() => select(new Set(shown.map(({ id }) => id)))}
        >
          Select all {shown.length}
        </Button>
      )}
      <IconButton icon={X} small label="Select none" keys="Esc" onClick={selectNone} />
    </SelectionFrame>
  );
}

/** Whether each of these has a mark: then the button that sets it takes it away. */
function areAll(
  marked: readonly Pick<SessionSummary | ListedProject, "marks">[],
  mark: "starred" | "hidden",
): boolean {
  return marked.every(({ marks }) => marks?.[mark]);
}

/** What can be done with the projects of the selected sessions. */
function ProjectsMenu({ projects }: { projects: readonly ListedProject[] }) {
  return (
    <Menu
      label="Their projects"
      trigger={
        <Button kind="quiet">
          {formatPlural(projects.length, "project")}
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      <MenuItem icon={Star} onSelect={() => toggleProjectStar(projects)}>
        {areAll(projects, "starred") ? "Remove star" : "Star"}
      </MenuItem>
      <MenuItem icon={EyeOff} onSelect={() => toggleProjectHidden(projects)}>
        {areAll(projects, "hidden") ? "Show again" : "Hide with all sessions"}
      </MenuItem>
    </Menu>
  );
}

function SelectionFrame({ children }: { children: ReactNode }) {
  return (
    <div
      ref={bottomBar}
      role="toolbar"
      aria-label="Selected sessions"
      className="flex min-h-tool flex-none flex-wrap items-center gap-1 border-t border-line-2 bg-sel px-3 py-[3px] text-12 whitespace-nowrap"
    >
      {children}
    </div>
  );
}
