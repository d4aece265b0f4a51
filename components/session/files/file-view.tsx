import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { ALL_CHANGES, changedFiles, useChangedFiles } from "@/components/session/changes/changed-files";
import { useSessionPage } from "@/components/session/session-store";
import { nameOfAgent, useAgents } from "@/components/session/use-agents";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { PageLink } from "@/components/ui/page-link";
import { DetailState } from "@/components/ui/states";
import { useKeys } from "@/lib/client/key-registry";
import { useIsGuest } from "@/lib/client/token";
import { useMedia } from "@/lib/client/use-debounced";
import { formatClock } from "@/lib/format/format";
import type { FileVersion } from "@/lib/wire/files";
import { BlamedCode } from "./blamed-code";
import {
  formatStep,
  listedFiles,
  useFileAt,
  useFileVersions,
  useTouchedFiles,
  versionName,
} from "./file-versions";
import { Scrubber } from "./scrubber";
import { type LaneOf, type NameOf, VersionMark } from "./version-mark";
import { LINK_BUTTON, LineOrigin, VersionPanel } from "./version-panel";

/** Below this width there is no room for two views of a file side by side. */
const PANEL_WIDTH = "(width >= 1100px)";

/** A file of the session at any of its versions, with who wrote its lines and what changed. */
export function FileView({ path }: { path: string }) {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const query = useFileVersions(sessionId, path, session?.revision ?? null);
  const versions = query.data ?? NONE;
  const named = versions.findIndex(({ id }) => id === url.version);
  const settled = named === -1 ? versions.length - 1 : named;
  const [shown, show] = usePassing(settled, (index) => {
    const id = versions[index]?.id;
    if (id) setUrl({ version: index === versions.length - 1 ? null : id }, "replace");
  });
  const version = versions[shown];
  const compared = versions.findIndex(({ id }) => id === url.against);
  const otherThan = (index: number) => (compared === -1 ? index - 1 : compared);
  const other = otherThan(shown);
  const blamed = useFileAt(sessionId, path, versions[settled]?.id ?? null);
  const { laneOf, nameOf } = useAgentMarks(versions);
  const isWide = useMedia(PANEL_WIDTH);
  const isGuest = useIsGuest();
  const showsPanel = isWide || url.against !== null;
  const [showsBlame, setShowsBlame] = useState(true);
  const root = session?.project.path ?? null;
  const compare = useStable((index: number) => setUrl({ against: versions[index]?.id ?? null }, "replace"));
  const closePanel = useStable(() => setUrl({ against: null }, "replace"));
  const selectLine = useStable((line: number) =>
    setUrl({ line: line === url.line ? null : line }, "replace"),
  );
  const goToRow = () => version && store.leaveForStep(version);
  const toggleBlame = () => setShowsBlame(!showsBlame);
  useKeys("file-view", [
    {
      keys: ["ArrowLeft", "ArrowRight"],
      label: "version before or after (with Shift: the compared one)",
      group: "Move",
      run: ({ key, shiftKey }) => {
        const by = key === "ArrowLeft" ? -1 : 1;
        if (shiftKey) compare(Math.max(0, Math.min(versions.length - 1, other + by)));
        else show(Math.max(0, Math.min(versions.length - 1, shown + by)));
      },
    },
    { keys: ["b"], label: "who wrote the lines", group: "Views and panes", run: toggleBlame },
    { keys: ["Enter"], label: "the row that made this version", group: "Open and read", run: goToRow },
    { keys: ["Escape"], label: "back to the changes", group: "Views and panes", run: store.closeFile },
  ]);
  const panel = version && blamed.data && (
    <VersionPanel
      sessionId={sessionId}
      path={path}
      versions={versions}
      shown={settled}
      other={otherThan(settled)}
      blamed={blamed.data}
      line={url.line}
      nameOf={nameOf}
      onShow={show}
      onOther={compare}
      onRow={store.leaveForStep}
      onClose={isWide ? null : closePanel}
    />
  );
  return (
    <section aria-label="File" className="grid h-full grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex h-tool items-center gap-3 border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums max-sm:gap-2 max-sm:px-2">
        <Button kind="quiet" onClick={store.closeFile} className="max-sm:px-1">
          All files
        </Button>
        <h2 className="min-w-0 truncate font-mono text-code font-semibold text-fg" title={path}>
          <VisibleText text={shortenPath(path, root)} />
        </h2>
        {version && (
          <>
            <span className="flex-none rounded-1 border border-line-2 px-1 text-11">
              {versionName(versions, shown)} of {versionName(versions, versions.length - 1)}
            </span>
            <span className="min-w-0 truncate max-md:hidden">
              {formatStep(versions, version, nameOf(version.agentId))}
              {version.turn > 0 && ` in turn ${version.turn}`}
              {version.atMs !== null && `, ${formatClock(version.atMs)}`}
            </span>
          </>
        )}
        <span className="flex-1" />
        {version && !isWide && other >= 0 && (
          <Button
            pressed={showsPanel}
            onClick={() => setUrl({ against: showsPanel ? null : (versions[other]?.id ?? null) }, "replace")}
          >
            Diff
          </Button>
        )}
        <Button pressed={showsBlame} onClick={toggleBlame}>
          Blame
        </Button>
        {version && (
          <Button onClick={goToRow} className="max-sm:hidden">
            Open row
          </Button>
        )}
        {!isGuest && (
          <PageLink
            className={clsx(LINK_BUTTON, "max-md:hidden")}
            title="All sessions that changed this file"
            href={`/files?path=${encodeURIComponent(pathInProject(path, root))}`}
          >
            All sessions
          </PageLink>
        )}
        <Button onClick={store.closeChanges} className="max-sm:hidden">
          Back to the thread
        </Button>
      </div>
      {!query.data ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : !version ? (
        <p className="p-6 text-fg-2">The logs say that this file was not there, and nothing else of it.</p>
      ) : (
        <div
          className={clsx(
            "grid min-h-0",
            isWide
              ? "grid-cols-[248px_minmax(0,1fr)_minmax(340px,28%)]"
              : "grid-cols-1 md:grid-cols-[220px_minmax(0,1fr)]",
          )}
        >
          <VersionList
            path={path}
            versions={versions}
            shown={shown}
            laneOf={laneOf}
            nameOf={nameOf}
            onShow={show}
          />
          {(isWide || !showsPanel) && (
            <div className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
              <Scrubber versions={versions} shown={shown} other={other} laneOf={laneOf} onShow={show} />
              {!blamed.data ? (
                <div className="p-3">
                  <DetailState query={blamed} />
                </div>
              ) : blamed.data.file.exists === false ? (
                <p className="p-6 text-fg-2">The file was not there any more.</p>
              ) : (
                <BlamedCode
                  blamed={blamed.data}
                  showsBlame={showsBlame}
                  selected={url.line}
                  laneOf={laneOf}
                  onLine={selectLine}
                />
              )}
              {!isWide && url.line !== null && blamed.data && (
                <section
                  aria-label="The line"
                  className="max-h-[40vh] overflow-y-auto border-t border-line-2"
                >
                  <LineOrigin
                    blamed={blamed.data}
                    line={url.line}
                    versions={versions}
                    nameOf={nameOf}
                    onRow={store.leaveForStep}
                    onShow={show}
                  />
                </section>
              )}
            </div>
          )}
          {showsPanel && (
            <div className="min-h-0 min-w-0 border-l border-line-2 *:h-full max-md:border-l-0">{panel}</div>
          )}
        </div>
      )}
    </section>
  );
}

/** A file's path in its project, by which other checkouts of that have it as well. */
function pathInProject(path: string, root: string | null): string {
  return root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

const NONE: readonly FileVersion[] = [];

/** Names and lanes of the agents that made versions. */
function useAgentMarks(versions: readonly FileVersion[]): { laneOf: LaneOf; nameOf: NameOf } {
  const { sessionId } = useSessionPage();
  const hasAgents = versions.some(({ agentId }) => agentId !== null);
  const { data } = useAgents(sessionId, hasAgents);
  const byId = useMemo(() => new Map(data?.agents.map((agent) => [agent.agentId, agent])), [data]);
  const laneOf = useCallback<LaneOf>(
    (agentId) => (agentId === null ? 0 : Math.max(1, byId.get(agentId)?.lane ?? 1)),
    [byId],
  );
  const nameOf = useCallback<NameOf>(
    (agentId) => {
      const agent = agentId === null ? undefined : byId.get(agentId);
      return agent ? nameOfAgent(agent) : null;
    },
    [byId],
  );
  return { laneOf, nameOf };
}

/** The session's changed files, the shown one with its versions. */
function VersionList({
  path,
  versions,
  shown,
  laneOf,
  nameOf,
  onShow,
}: {
  path: string;
  versions: readonly FileVersion[];
  shown: number;
  laneOf: LaneOf;
  nameOf: NameOf;
  onShow: (index: number) => void;
}) {
  const { sessionId, session, store } = useSessionPage();
  const { data } = useChangedFiles(sessionId);
  const touched = useTouchedFiles(sessionId);
  const root = session?.project.path ?? null;
  const [showsAll, setShowsAll] = useState(false);
  const paths = useMemo(
    () => listedFiles(data ? changedFiles(data, ALL_CHANGES, root) : [], touched.data ?? [], path, showsAll),
    [data, touched.data, root, path, showsAll],
  );
  const scroll = useRef<HTMLElement>(null);
  return (
    <nav
      ref={scroll}
      aria-label="Files and versions"
      className="relative min-h-0 overflow-y-auto border-r border-line-2 bg-panel pb-1 max-md:hidden"
    >
      <div className="sticky top-0 z-1 flex h-tool items-center border-b border-line bg-panel px-3">
        <Segmented
          label="Files"
          choices={[
            { value: false, label: "Changed" },
            { value: true, label: touched.data ? `All ${touched.data.length}` : "All" },
          ]}
          value={showsAll}
          onChange={setShowsAll}
        />
      </div>
      {paths.map((file, above) => {
        const short = shortenPath(file.path, root);
        const cut = short.lastIndexOf("/") + 1;
        const isShown = file.path === path;
        return (
          <div key={file.path}>
            <button
              type="button"
              title={file.path}
              aria-current={isShown ? "page" : undefined}
              onClick={() => !isShown && store.openFile(file.path)}
              className={clsx(
                "flex h-[26px] w-full items-center gap-2 px-3 text-left hover:bg-raised",
                isShown && "font-semibold",
              )}
            >
              <span className="min-w-0 flex-1 truncate font-mono text-code">
                <VisibleText text={short.slice(cut)} />{" "}
                <span className="font-sans text-11 font-normal text-fg-3">
                  {short.slice(0, Math.max(0, cut - 1))}
                </span>
              </span>
              <span className="text-11 font-normal">
                <ChangedLines added={file.added} removed={file.removed} />
              </span>
            </button>
            {isShown && (
              <VersionRows
                key={above}
                versions={versions}
                shown={shown}
                laneOf={laneOf}
                nameOf={nameOf}
                onShow={onShow}
                scroll={scroll}
              />
            )}
          </div>
        );
      })}
    </nav>
  );
}

/** A function that never changes and does what the last one given does: what takes it is not drawn again for it. */
function useStable<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const last = useRef(run);
  useLayoutEffect(() => {
    last.current = run;
  });
  return useCallback((...args) => last.current(...args), []);
}

const REST_MS = 80;

/**
 * The version that a reader is at, and how to go to another one. A step is settled at once; of versions that are passed
 * faster than one can read them, the one on which the reader comes to rest: its text is asked for and drawn then.
 */
function usePassing(
  settled: number,
  settle: (index: number) => void,
): [shown: number, show: (index: number) => void] {
  const [passing, setPassing] = useState<number | null>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = passing ?? settled;
  const onRest = useStable(() => {
    rest.current = undefined;
    if (shown !== settled) settle(shown);
  });
  const show = useStable((index: number) => {
    if (index === shown) return;
    setPassing(index);
    if (rest.current === undefined) settle(index);
    clearTimeout(rest.current);
    rest.current = setTimeout(onRest, REST_MS);
  });
  // Whatever else changes the version, such as a way back, is where the reader is then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the change
  useEffect(() => {
    if (rest.current === undefined) setPassing(null);
  }, [settled]);
  useEffect(() => () => clearTimeout(rest.current), []);
  return [shown, show];
}

const VERSION_PX = 24;
/** What stays at the upper edge of the list, and some room. */
const BELOW_HEAD_PX = 48;

/** A file's versions below its name, where it was drawn first: those in view, since a file may have hundreds. */
function VersionRows({
  versions,
  shown,
  laneOf,
  nameOf,
  onShow,
  scroll,
}: {
  versions: readonly FileVersion[];
  shown: number;
  laneOf: LaneOf;
  nameOf: NameOf;
  onShow: (index: number) => void;
  scroll: RefObject<HTMLElement | null>;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtualizer = useVirtualizer({
    count: versions.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => VERSION_PX,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: BELOW_HEAD_PX,
  });
  useLayoutEffect(() => {
    if (top > 0) virtualizer.scrollToIndex(shown, { align: "auto" });
  }, [virtualizer, shown, top]);
  return (
    <div ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const version = versions[index];
        return (
          version && (
            <div
              key={version.id}
              className="absolute inset-x-0"
              style={{ top: start - top, height: VERSION_PX }}
            >
              <VersionRow
                index={index}
                version={version}
                name={versionName(versions, index)}
                step={formatStep(versions, version, nameOf(version.agentId))}
                lane={laneOf(version.agentId)}
                shown={index === shown}
                onShow={onShow}
              />
            </div>
          )
        );
      })}
    </div>
  );
}

/** A version in the list, drawn again only when it changes. */
const VersionRow = memo(function VersionRow({
  index,
  version,
  name,
  step,
  lane,
  shown,
  onShow,
}: {
  index: number;
  version: FileVersion;
  name: string;
  step: string;
  lane: number;
  shown: boolean;
  onShow: (index: number) => void;
}) {
  const isOutside = version.kind === "outside" || version.kind === "deleted";
  return (
    <button
      type="button"
      aria-current={shown ? "true" : undefined}
      onClick={() => onShow(index)}
      className={clsx(
        "grid h-full w-full grid-cols-[14px_20px_minmax(0,1fr)_auto_auto] items-center gap-x-1.5 pr-3 pl-4 text-left text-12 tabular-nums hover:bg-raised",
        shown ? "bg-sel font-semibold shadow-[inset_2px_0_0_var(--accent)]" : "text-fg-2",
      )}
    >
      <VersionMark kind={version.kind} lane={lane} />
      <span className="text-right" title={version.turn > 0 ? undefined : "On another branch"}>
        {version.turn > 0 ? version.turn : "–"}
      </span>
      <span className={clsx("truncate", isOutside && "text-warn")}>{step}</span>
      <span className="text-11 font-normal">
        <ChangedLines added={version.added} removed={version.removed} />
      </span>
      <span className="min-w-5 text-right text-11 font-normal text-fg-3">{name}</span>
    </button>
  );
});
