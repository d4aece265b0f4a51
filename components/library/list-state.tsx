import { clsx } from "clsx";
import { Check, EyeOff, Folder, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Button, CommandLine } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { FilterToken, RunningRing } from "@/components/ui/marks";
import { EmptyState, ErrorState, Progress, SkeletonRows, SkeletonText } from "@/components/ui/states";
import { ApiError } from "@/lib/client/connection/api-error";
import { useProjects } from "@/lib/client/queries";
import { useHealth } from "@/lib/client/use-health";
import { useNarrow } from "@/lib/client/use-media";
import { formatBytes, formatPercent, formatPlural } from "@/lib/format/format";
import { folderName } from "@/lib/format/shown-name";
import {
  activeFilters,
  type LibraryFilter,
  passes,
  useLibraryFilters,
  withoutFilters,
} from "./library-filters";
import { ACTIVITY_SHOWN, BRANCH_SHOWN } from "./list/number-columns";
import { OWN_PLACES } from "./own-places";
import { indexingLine, indexingShare } from "./side-column";
import type { LibraryList } from "./use-library";

/** Whether sessions are being loaded, so that the list will have rows in a moment. */
export function isListLoading({ error, isPending, complete, sessions, filters }: LibraryList): boolean {
  if (error) return false;
  return isPending || (!complete && (sessions.length === 0 || activeFilters(filters).length > 0));
}

/** Shown instead of the list: failed, loading, indexing for the first time, filtered out, or none at all. */
export function ListState({ library }: { library: LibraryList }) {
  const health = useHealth().data;
  const { error, isPending, complete, filters, retry } = library;
  if (error) return <ListError error={error} onRetry={retry} />;
  if (isPending || (!complete && library.sessions.length === 0)) {
    return <SessionSkeleton label="Loading sessions" />;
  }
  const filtered = activeFilters(filters).length > 0;
  if (filtered && !complete) {
    return <SessionSkeleton label="Filtering sessions" />;
  }
  // One that is narrowed further says what narrows it.
  const place = OWN_PLACES.find(({ isHere }) => isHere(filters));
  if (place && activeFilters(filters).length === 1)
    return (
      <EmptyState icon={place.icon} title={place.none.title}>
        {place.none.text}
      </EmptyState>
    );
  if (filtered) return <FilteredOut library={library} />;
  if (health && !health.indexing.done) return <FirstRun health={health} />;
  if (library.hidden > 0)
    return (
      <EmptyState icon={EyeOff} title="All sessions here are hidden">
        You hid them, or their projects.
      </EmptyState>
    );
  return <NoSessions roots={health?.roots ?? []} />;
}

/** Placeholders of rows, in the columns or the two lines that they will have. */
function SessionSkeleton({ label }: { label: string }) {
  const narrow = useNarrow();
  return narrow ? (
    <SkeletonRows
      count={12}
      label={label}
      rowClass="grid h-[52px] grid-cols-[minmax(0,1fr)_56px] content-center gap-x-2 gap-y-3 border-b border-line px-3"
      cells={lineCells}
    />
  ) : (
    <SkeletonRows
      count={16}
      label={label}
      rowClass="library-columns h-[30px] border-b border-line pr-4 pl-3"
      cells={columnCells}
    />
  );
}

function lineCells(width: string): ReactNode {
  return (
    <>
      <SkeletonText className={width} />
      <SkeletonText />
      <SkeletonText className="w-1/4" />
    </>
  );
}

function columnCells(width: string): ReactNode {
  return (
    <>
      <SkeletonText className={clsx("col-start-2", width)} />
      <SkeletonText className="mr-3" />
      <SkeletonText className={clsx("mr-12", BRANCH_SHOWN)} />
      <SkeletonText className={ACTIVITY_SHOWN} />
      <SkeletonText className="-col-end-1 ml-8" />
    </>
  );
}

function ListError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const known = error instanceof ApiError ? error : null;
  return (
    <ErrorState
      title="Couldn’t list sessions"
      message={error.message}
      hint={known?.hint}
      code={known ? `${known.code}${known.path ? ` · ${known.path}` : ""}` : error.name}
      onRetry={onRetry}
    />
  );
}

function NoSessions({ roots }: { roots: readonly string[] }) {
  return (
    <EmptyState
      icon={Folder}
      title="No sessions yet"
      actions={
        <dl className="grid min-w-0 items-center gap-x-3 gap-y-2 text-left text-12 sm:grid-cols-[auto_minmax(0,auto)]">
          <dt className="text-fg-2">Logs in another folder</dt>
          <dd className="min-w-0 max-sm:mb-1">
            <CommandLine command="backscroll --claude-dir DIR" />
          </dd>
          <dt className="text-fg-2">Sample sessions to look around</dt>
          <dd className="min-w-0">
            <CommandLine command="backscroll --demo" />
          </dd>
        </dl>
      }
    >
      {roots.length > 0 ? (
        <>
          Searched{" "}
          {roots.map((root, index) => (
            <span key={root}>
              {index > 0 ? (index === roots.length - 1 ? " and " : ", ") : ""}
              <code className="font-mono text-12 [overflow-wrap:anywhere]">{root}</code>
            </span>
          ))}
          .{" "}
        </>
      ) : null}
      Sessions appear here as soon as Claude Code writes one.
    </EmptyState>
  );
}

/** No session passes: shows how many each filter removes, if the page knows that, with a way to remove it. */
function FilteredOut({ library }: { library: LibraryList }) {
  const [filters, setFilters] = useLibraryFilters();
  const projects = useProjects().data;
  const { sessions, nowMs } = library;
  const active = activeFilters(filters).map((filter) => {
    const project = filter.name === "project" ? projects?.find(({ id }) => id === filter.value) : undefined;
    const without = withoutFilters(filters, [filter.name]);
    const own = filter.name !== "project" && filter.name !== "q";
    return {
      ...filter,
      value: project ? folderName(project.path) : filter.value,
      count: own ? sessions.filter((session) => passes(session, without, nowMs)).length : null,
    };
  });
  const clear = (names: LibraryFilter[]) => setFilters(withoutFilters(filters, names));
  const best = active.reduce((left, right) => ((right.count ?? 0) > (left.count ?? 0) ? right : left));
  return (
    <EmptyState
      icon={Search}
      title={`No sessions match ${active.length === 1 ? "this filter" : "these filters"}`}
      actions={
        <>
          {active.length > 1 ? (
            <Button onClick={() => clear([best.name])}>
              Remove {best.token === null ? best.value : `${best.token}:${best.value}`}
            </Button>
          ) : null}
          <Button
            kind={active.length > 1 ? "quiet" : "plain"}
            onClick={() => clear(active.map(({ name }) => name))}
          >
            {active.length === 1 ? "Clear filter" : "Clear all"}
          </Button>
        </>
      }
    >
      {active.map(({ name, token, value, count }) => (
        <p key={name} className="my-1">
          {active.length > 1 && count ? "Without " : null}
          <FilterToken name={token} value={value} />
          {active.length > 1 && count
            ? ` there ${count === 1 ? "is" : "are"} ${formatPlural(count, "session")}`
            : null}
        </p>
      ))}
    </EmptyState>
  );
}

type Answer = NonNullable<ReturnType<typeof useHealth>["data"]>;

/** The first seconds of a first start, before any session is listed. */
function FirstRun({ health: { indexing, rate } }: { health: Answer }) {
  const share = indexingShare(indexing);
  const listed = indexing.phase !== "listing";
  return (
    <section
      aria-label="Indexing"
      className="mx-auto mt-10 w-full max-w-[560px] border border-line-2 max-sm:mt-0 max-sm:border-x-0"
    >
      <div className="grid gap-2 p-4">
        <div className="flex">
          <h2 className="flex-1 font-semibold">
            Indexing{" "}
            {indexing.bytesTotal > 0 ? `${formatBytes(indexing.bytesTotal)}, newest first` : "your sessions"}
          </h2>
          <span className="text-fg-2 tabular-nums">{formatPercent(share)}</span>
        </div>
        <Progress thick share={share} label="Indexing" />
        <p className="text-12 text-fg-2 tabular-nums">{indexingLine(indexing, rate)}</p>
      </div>
      <Step done={listed} name="Projects and sessions">
        {listed ? `${formatPlural(indexing.filesTotal, "file")} listed` : "listing the files"}
      </Step>
      <Step done={indexing.done} name="Counts, graph, files">
        {`${formatPlural(indexing.filesDone, "file")} done`}
      </Step>
      <p className="border-t border-line px-4 py-3 text-12 text-fg-3">
        Sessions appear as they are found. Opening one that isn’t indexed yet indexes it first.
      </p>
    </section>
  );
}

function Step({ done, name, children }: { done: boolean; name: string; children: ReactNode }) {
  return (
    <div className="grid h-7 grid-cols-[16px_136px_1fr] items-center gap-2 border-t border-line px-4 text-12">
      <span className={`flex justify-center ${done ? "text-run" : "text-fg-2"}`}>
        {done ? <Icon of={Check} small /> : <RunningRing />}
      </span>
      <span>{name}</span>
      <span className="truncate text-fg-2">{children}</span>
    </div>
  );
}
