"use client";

import { ListFilter, Radio, Search, Share, TextAlignStart, Wallet } from "lucide-react";
import { useId, useRef, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { LiveBar } from "@/components/live/live-pill";
import { Watching } from "@/components/live/watching";
import { PageMenu } from "@/components/share/page-menu";
import { Foot, type FootKeys, Frame, TabBar } from "@/components/ui/frame/frame";
import { Icon } from "@/components/ui/icon";
import { PageLink } from "@/components/ui/page-link";
import { ProblemLines } from "@/components/ui/problem-lines";
import { StateBar } from "@/components/ui/states";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useKeys } from "@/lib/client/key-registry";
import { useProjects, useTotals } from "@/lib/client/queries";
import { useHealth } from "@/lib/client/use-health";
import {
  formatBytes,
  formatClockSeconds,
  formatCost,
  formatCount,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import { folderName } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type ListedProject, totalTokens, type Warning } from "@/lib/wire/library";
import { FilterBar } from "./filter-bar";
import { useLibraryFilters } from "./library-filters";
import { SessionList } from "./list/session-list";
import { HiddenLine, ProjectButtons, ProjectNotices } from "./project-head";
import { SelectionBar } from "./selected-sessions";
import { formatTotals, SideColumn } from "./side-column";
import { type LibraryList, useLibrary, useLiveLibrary } from "./use-library";

/** The library: every session, by project and time. Its state is in the address. */
export function LibraryView() {
  const library = useLibrary();
  const stream = useLiveLibrary();
  const { problems } = library;
  const problemId = useId();
  const filterField = useRef<HTMLInputElement>(null);
  const focusFilter = () => filterField.current?.select();
  useKeys([{ keys: ["/"], label: "filter sessions", group: "Find", run: focusFilter }]);
  return (
    <Frame
      top={<LibraryTop />}
      foot={
        <>
          <LibraryFoot library={library} />
          <NarrowTabs onSearch={focusFilter} />
        </>
      }
      bodyClass="grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
    >
      <SideColumn />
      <main className="flex flex-col focus-visible:outline-none">
        <FilterBar
          fieldRef={filterField}
          sessions={library.sessions}
          shown={library.shown}
          problemId={problems.length > 0 ? problemId : null}
        />
        {/* Always there, so that screen readers announce what appears in it. */}
        <div id={problemId} role="status" className="flex-none">
          <ProblemLines query={library.filters.q} problems={problems} />
        </div>
        <LiveBar stream={stream} />
        <LibraryNotices />
        <ProjectNotices />
        <SessionList library={library} />
        <HiddenLine library={library} />
        <SelectionBar shown={library.shown} />
      </main>
    </Frame>
  );
}

const SHOWN = 3;

/** Lines above the list that do not replace it: folders that are polled, problems on disk. */
function LibraryNotices() {
  const { data } = useHealth();
  if (!data) return null;
  const { watching, warnings } = data;
  return (
    <>
      {watching.polled > 0 ? (
        <StateBar tone="notice">
          Out of file watches: {formatPlural(watching.polled, "folder is", "folders are")} polled every 2 s
        </StateBar>
      ) : null}
      {warnings.slice(0, SHOWN).map((warning) => (
        <WarningBar key={`${warning.code} ${warning.path ?? ""}`} {...warning} />
      ))}
      {warnings.length > SHOWN ? (
        <StateBar tone="warning">And {formatPlural(warnings.length - SHOWN, "more warning")}</StateBar>
      ) : null}
    </>
  );
}

/** What is wrong on disk, where, and on demand what to do about it. */
function WarningBar({ message, hint, path }: Warning) {
  const [open, setOpen] = useState(false);
  return (
    <StateBar
      tone="warning"
      action={
        <button
          type="button"
          aria-expanded={open}
          className="-my-1.5 flex-none py-1.5 text-accent hover:underline"
          onClick={() => setOpen(!open)}
        >
          How to fix
        </button>
      }
    >
      {message}
      {path && <span className="block font-mono text-fg-2">{path}</span>}
      {open && <span className="block text-fg">{hint}</span>}
    </StateBar>
  );
}

/** The library's bar: breadcrumb, totals, and the page's menu. */
function LibraryTop() {
  const [filters] = useLibraryFilters();
  const projects = useProjects().data;
  const project = projects?.find(({ id }) => id === filters.project);
  const place = project ? folderName(project.path) : filters.running ? "Running" : "All sessions";
  return (
    <>
      <h1 className="flex-none font-semibold max-sm:text-15">Backscroll</h1>
      <span aria-hidden="true" className="text-fg-3 max-sm:hidden">
        /
      </span>
      <span className="min-w-0 truncate text-fg-2 max-sm:hidden" title={labelHidden(project?.path)}>
        <VisibleText text={place} />
      </span>
      {project ? <ProjectButtons project={project} /> : null}
      <span className="flex-1" />
      {projects && projects.length > 0 ? <TotalsOf projects={project ? [project] : projects} /> : null}
      <PageLink
        href="/now"
        className="inline-flex h-control flex-none items-center gap-1.5 rounded-2 border border-line-2 px-2 text-12 hover:bg-raised"
      >
        <Icon of={Radio} small />
        Running
      </PageLink>
      <PageLink
        href="/usage"
        className="inline-flex h-control flex-none items-center gap-1.5 rounded-2 border border-line-2 px-2 text-12 hover:bg-raised max-sm:hidden"
      >
        <Icon of={Wallet} small />
        Usage
      </PageLink>
      <PageMenu />
    </>
  );
}

/** The totals of the chosen project, or of all. */
function TotalsOf({ projects }: { projects: readonly ListedProject[] }) {
  const everything = useTotals().data ?? null;
  const sessions = projects.reduce((sum, project) => sum + project.sessions, 0);
  const bytes = projects.reduce((sum, project) => sum + project.bytes, 0);
  const [only] = projects;
  const totals = only && projects.length === 1 ? only.totals : everything;
  const parts = [
    formatPlural(sessions, "session"),
    projects.length > 1 ? formatPlural(projects.length, "project") : null,
    formatBytes(bytes),
    totals && formatTokens(totalTokens(totals.usage)),
    totals && totalTokens(totals.usage) > 0
      ? formatCost(totals.cost.microUsd, totals.cost.unpricedTokens)
      : null,
  ];
  return (
    <span
      className="min-w-0 shrink-[1000] truncate text-12 text-fg-3 tabular-nums max-sm:hidden"
      title={totals ? formatTotals(totals) : undefined}
    >
      {parts.filter(Boolean).join(" · ")}
    </span>
  );
}

const KEYS: FootKeys = [
  [["j", "k"], "session"],
  [["Enter"], "open"],
  [["/"], "filter"],
  [["mod+k"], "go to"],
  [["?"], "all keys"],
];

/** The state of the watching at the left, the keys, and when the list was last renewed. */
function LibraryFoot({ library: { shown, sessions, complete, updatedAtMs } }: { library: LibraryList }) {
  const listed =
    shown.length === sessions.length
      ? formatPlural(sessions.length, "session")
      : `${formatCount(shown.length)} of ${formatPlural(sessions.length, "session")}`;
  return (
    <Foot
      left={
        <>
          <Watching />
          {complete ? <span>{listed}</span> : null}
        </>
      }
      keys={KEYS}
      right={updatedAtMs > 0 ? <span>updated {formatClockSeconds(updatedAtMs)}</span> : null}
    />
  );
}

/** The bottom bar of a narrow page. */
function NarrowTabs({ onSearch }: { onSearch: () => void }) {
  const [{ running }, setFilters] = useLibraryFilters();
  return (
    <TabBar label="Library">
      <button
        type="button"
        aria-current={running ? undefined : "page"}
        onClick={() => setFilters({ running: false })}
      >
        <Icon of={TextAlignStart} />
        Sessions
      </button>
      <button
        type="button"
        aria-current={running ? "page" : undefined}
        onClick={() => setFilters({ running: true })}
      >
        <Icon of={Radio} />
        Running
      </button>
      <button type="button" onClick={onSearch}>
        <Icon of={ListFilter} />
        Filter
      </button>
      <button type="button" onClick={() => openPageDialog("go-to")}>
        <Icon of={Search} />
        Search
      </button>
      <button type="button" onClick={() => openPageDialog("share")}>
        <Icon of={Share} />
        Share
      </button>
    </TabBar>
  );
}
