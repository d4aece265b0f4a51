import {
  Bookmark,
  Circle,
  EyeOff,
  Folder,
  Search,
  StickyNote,
  TextAlignStart,
  TextCursorInput,
} from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";
import { useSavedSearches } from "@/components/annotations/organise";
import { StarMark } from "@/components/annotations/session-marks";
import { VisibleText } from "@/components/content/text/visible-text";
import { Icon } from "@/components/ui/icon";
import { Kbd, printKey } from "@/components/ui/keys";
import { PlainLink } from "@/components/ui/link";
import { showInPlaceOf } from "@/components/ui/main-focus";
import { LiveDot } from "@/components/ui/marks";
import { NavItem, navItemClass, PageLink } from "@/components/ui/page-link";
import { Progress } from "@/components/ui/states";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useProjects } from "@/lib/client/queries";
import { type IndexingRate, useHealth } from "@/lib/client/use-health";
import {
  formatBytesOf,
  formatCost,
  formatCount,
  formatElapsed,
  formatPercent,
  formatPlural,
} from "@/lib/format/format";
import { folderName, shownName } from "@/lib/format/shown-name";
import { shortenHome, splitPath } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type Health, type ListedProject, type Totals, totalTokens } from "@/lib/wire/library";
import { isCostliest, type LibraryFilters, libraryHref, useLibraryFilters } from "./library-filters";
import { OWN_PLACES, onTheWayTo } from "./own-places";
import { ProjectMenu } from "./project-head";

/** The left column: everything, what is running, the projects; at its foot the progress of the indexing. */
export function SideColumn() {
  const [filters] = useLibraryFilters();
  const known = useProjects().data;
  const projects = known ?? [];
  const sessions = projects.reduce((sum, { sessions: all, hiddenSessions }) => sum + all - hiddenSessions, 0);
  const running = projects.reduce((sum, project) => sum + project.running, 0);
  const isWhole = !filters.project && !filters.running && filters.q.trim() === "";
  const everything = isWhole && !isCostliest(filters);
  return (
    <aside
      aria-label="Projects"
      className="flex flex-col overflow-hidden border-r border-line-2 bg-panel max-md:hidden"
    >
      <SideSearch />
      <nav aria-label="Sections" tabIndex={-1} className="min-h-0 flex-1 overflow-auto py-1">
        <PlaceLink to={{ project: null, running: true }} current={filters.running && !filters.project}>
          <NavItem
            mark={running > 0 ? <LiveDot /> : <Icon of={Circle} small className="text-spine" />}
            note={known ? formatCount(running) : null}
          >
            Running
          </NavItem>
        </PlaceLink>
        <PlaceLink to={{ project: null, running: false, q: "" }} current={everything}>
          <NavItem mark={<Icon of={TextAlignStart} />} note={known ? formatCount(sessions) : null}>
            All sessions
          </NavItem>
        </PlaceLink>
        <OwnPlaces />
        {projects.length > 0 ? <h2 className="px-3 pt-3 pb-1 text-11 text-fg-3">Projects</h2> : null}
        <ProjectList projects={projects} />
      </nav>
      <IndexingStatus />
    </aside>
  );
}

/** The reader's stars, what costs most, the reader's prompts, and the saved searches. */
function OwnPlaces() {
  const [filters] = useLibraryFilters();
  const { q } = filters;
  const saved = useSavedSearches().data ?? [];
  return (
    <>
      {OWN_PLACES.map(({ label, icon, filters: to, isHere }) => (
        <PlaceLink key={label} to={{ ...to, project: null, running: false }} current={isHere(filters)}>
          <NavItem mark={<Icon of={icon} />} note={null}>
            {label}
          </NavItem>
        </PlaceLink>
      ))}
      <PromptsLink />
      {saved.length > 0 ? <h2 className="px-3 pt-3 pb-1 text-11 text-fg-3">Saved searches</h2> : null}
      {saved.map(({ id, body }) => (
        <PlaceLink
          key={id}
          to={{ project: null, running: false, q: body }}
          current={q.trim() === body}
          title={labelHidden(body)}
        >
          <NavItem mark={<Icon of={Bookmark} />} note={null}>
            {body}
          </NavItem>
        </PlaceLink>
      ))}
    </>
  );
}

/** The way to all prompts that were typed. */
function PromptsLink() {
  return (
    <PageLink href="/prompts" className={navItemClass(false)}>
      <NavItem mark={<Icon of={TextCursorInput} />} note={null}>
        Your prompts
      </NavItem>
    </PageLink>
  );
}

/** What the reader starred, what costs most and the reader’s prompts, in the side column of a page that is not the library. */
export function SideOwnPlaces() {
  return (
    <>
      {OWN_PLACES.map(({ label, icon, filters }) => (
        <PageLink key={label} href={libraryHref(filters)} className={navItemClass(false)}>
          <NavItem mark={<Icon of={icon} />} note={null}>
            {label}
          </NavItem>
        </PageLink>
      ))}
      <PromptsLink />
    </>
  );
}

/** The button for the palette, at the head of a side column. */
export function SideSearch() {
  return (
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
  );
}

/** The projects in the side column of a page that is not the library: each leads there. */
export function SideProjects() {
  const projects = (useProjects().data ?? []).filter(isShown);
  const [all, setAll] = useState(false);
  if (projects.length === 0) return null;
  const shown = all ? projects : projects.slice(0, FIRST);
  return (
    <>
      <h2 className="px-3 pt-3 pb-1 text-11 text-fg-3">Projects</h2>
      {shown.map((project) => (
        <PageLink
          key={project.id}
          href={libraryHref({ project: project.id })}
          title={labelHidden(titleOf(project))}
          className={navItemClass(false)}
        >
          <ProjectItem project={project} />
        </PageLink>
      ))}
      <MoreProjects hidden={projects.length - shown.length} onShow={() => setAll(true)} />
    </>
  );
}

const FIRST = 20;

const isShown = ({ marks }: ListedProject) => !marks?.hidden;

/** The number of its sessions that its page lists: for a hidden project all that are not hidden by themselves. */
export function listedSessions({ sessions, hiddenSessions, marks }: ListedProject): number {
  return marks?.hidden ? sessions : sessions - hiddenSessions;
}

/** Projects by last activity, twenty at first; hidden ones behind a line with their number. */
function ProjectList({ projects }: { projects: readonly ListedProject[] }) {
  const [filters] = useLibraryFilters();
  const [all, setAll] = useState(false);
  const [withHidden, setWithHidden] = useState(false);
  const open = projects.filter(isShown);
  const first = all ? open : open.filter(({ id }, index) => index < FIRST || id === filters.project);
  const hidden = projects.filter((project) => !isShown(project));
  const alsoShown = withHidden ? hidden : hidden.filter(({ id }) => id === filters.project);
  const line = (project: ListedProject) => (
    <div key={project.id} className="group/project relative">
      <PlaceLink
        to={{ project: project.id, running: false }}
        current={filters.project === project.id}
        title={labelHidden(titleOf(project))}
      >
        <ProjectItem project={project} />
      </PlaceLink>
      <ProjectMenu project={project} name={folderName(project.path)} />
    </div>
  );
  return (
    <>
      {first.map(line)}
      <MoreProjects hidden={open.length - first.length} onShow={() => setAll(true)} />
      {hidden.length > 0 && (
        <button
          type="button"
          aria-expanded={withHidden}
          className={MORE_CLASS}
          onClick={() => setWithHidden(!withHidden)}
        >
          {formatCount(hidden.length)} hidden
        </button>
      )}
      {alsoShown.map(line)}
    </>
  );
}

const MORE_CLASS = "h-[26px] w-full px-3 pl-9 text-left text-fg-3 -outline-offset-2! hover:text-fg";

function ProjectItem({ project }: { project: ListedProject }) {
  const { name, folder } = splitPath(shortenHome(project.path));
  return (
    <NavItem
      mark={
        project.running > 0 ? (
          <LiveDot />
        ) : (
          <Icon of={isShown(project) ? Folder : EyeOff} className="text-spine" />
        )
      }
      note={formatCount(listedSessions(project))}
    >
      {project.marks?.starred && <StarMark className="mr-1 align-[-2px]" />}
      <span className={isShown(project) ? undefined : "text-fg-2"}>
        <VisibleText text={shownName(name)} />
      </span>{" "}
      {project.marks?.note && (
        <span role="img" aria-label="Has a note" className="mr-1 inline-flex align-[-2px] text-fg-3">
          <Icon of={StickyNote} small />
        </span>
      )}
      <span className="text-11 text-fg-3">
        <VisibleText text={folder} />
      </span>
      {project.pathGuessed ? <span className="text-11 text-fg-3"> ?</span> : null}
    </NavItem>
  );
}

function MoreProjects({ hidden, onShow }: { hidden: number; onShow: () => void }) {
  if (hidden <= 0) return null;
  return (
    <button
      type="button"
      className={MORE_CLASS}
      onClick={({ currentTarget }) => showInPlaceOf(currentTarget, onShow)}
    >
      {formatCount(hidden)} more
    </button>
  );
}

function titleOf({ path, pathGuessed, totals, marks }: ListedProject): string {
  const place = pathGuessed ? `${path} (guessed from the folder name)` : path;
  return [place, totals && formatTotals(totals), marks?.note].filter(Boolean).join("\n");
}

/**
 * A link to a view of the library in the left column. A real link, so that it opens in a new tab; a plain click stays
 * on the page.
 */
function PlaceLink({
  to,
  current,
  title,
  children,
}: {
  to: Pick<LibraryFilters, "project" | "running"> & Partial<LibraryFilters>;
  current: boolean;
  title?: string;
  children: ReactNode;
}) {
  const [filters, setFilters] = useLibraryFilters();
  const change = onTheWayTo(to, filters);
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setFilters(change, { history: "push" });
  };
  return (
    <PlainLink
      href={libraryHref({ ...filters, ...change })}
      onClick={go}
      title={title}
      aria-current={current ? "page" : undefined}
      className={navItemClass(current)}
    >
      {children}
    </PlainLink>
  );
}

/** The foot of the left column while the server indexes; nothing afterwards. */
function IndexingStatus() {
  const health = useHealth().data;
  if (!health || health.indexing.done) return null;
  const share = indexingShare(health.indexing);
  return (
    <div role="status" className="grid gap-1.5 border-t border-line px-3 py-2">
      <div className="flex text-12">
        <span className="flex-1">Indexing, newest first</span>
        <span className="text-fg-2 tabular-nums">{formatPercent(share)}</span>
      </div>
      <Progress share={share} label="Indexing" />
      <div className="text-11 text-fg-3 tabular-nums">{indexingLine(health.indexing, health.rate)}</div>
    </div>
  );
}

/** Totals over sessions in full, for a tooltip. */
export function formatTotals({ turns, messages, usage, cost }: Totals): string {
  const parts = [
    `${formatCount(totalTokens(usage))} tokens`,
    `${formatCount(usage.input)} input`,
    `${formatCount(usage.output)} output`,
    `${formatCount(usage.cacheRead)} cache read`,
    `${formatCount(usage.cacheWrite)} cache write (${formatCount(usage.cacheWrite5m)} 5 min, ${formatCount(usage.cacheWrite1h)} 1 h)`,
  ];
  if (totalTokens(usage) === 0) parts.splice(0, parts.length, "no usage recorded");
  const web = usage.webSearches + usage.webFetches;
  if (web > 0) parts.push(formatPlural(web, "web request"));
  if (totalTokens(usage) > 0) parts.push(`${formatCost(cost.microUsd, cost.unpricedTokens)} API-equivalent`);
  return `${parts.join(", ")}; ${formatPlural(turns, "turn")}, ${formatPlural(messages, "message")}. Messages shared by forks count once.`;
}

type Indexing = Health["indexing"];

/** The progress, 0 to 1, by bytes; by files while their sizes are not known yet. */
export function indexingShare({ bytesDone, bytesTotal, filesDone, filesTotal }: Indexing): number {
  if (bytesTotal > 0) return bytesDone / bytesTotal;
  return filesTotal > 0 ? filesDone / filesTotal : 0;
}

/** `1,284 of 2,310 files · 3.1 of 7.8 GB · 40 s left`; unknown parts are left out. */
export function indexingLine(indexing: Indexing, rate: IndexingRate): string {
  if (indexing.phase === "listing") return "Listing files";
  const parts = [
    `${formatCount(indexing.filesDone)} of ${formatPlural(indexing.filesTotal, "file")}`,
    formatBytesOf(indexing.bytesDone, indexing.bytesTotal),
  ];
  if (rate.leftMs !== null) parts.push(`${formatElapsed(rate.leftMs + 999)} left`);
  return parts.join(" · ");
}
