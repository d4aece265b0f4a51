import { clsx } from "clsx";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { nameOfAgent, useAgents } from "@/components/session/use-agents";
import { Button } from "@/components/ui/button";
import { PageLink } from "@/components/ui/page-link";
import { DetailState } from "@/components/ui/states";
import { Moment } from "@/components/ui/time";
import { useIsGuest } from "@/lib/client/connection/token";
import { useKeys } from "@/lib/client/key-registry";
import { useMedia } from "@/lib/client/use-media";
import { pathBelow } from "@/lib/format/text";
import type { FileVersion } from "@/lib/wire/files";
import { BlamedCode } from "./blamed-code";
import {
  fileItems,
  formatStep,
  lineBeside,
  otherThan,
  useFileAt,
  useFileVersions,
  versionName,
} from "./file-versions";
import { Scrubber } from "./scrubber";
import { VersionList } from "./version-list";
import type { LaneOf, NameOf } from "./version-mark";
import { LINK_BUTTON, LineOrigin, VersionPanel } from "./version-panel";
import { useReadVersion, useShownVersion, useVersionWalk, type Walked } from "./version-walk";

/** Below this width there is no room for two views of a file side by side. */
const PANEL_WIDTH = "(width >= 1100px)";

/** A file of the session at any of its versions, with who wrote its lines and what changed. */
export function FileView({ path }: { path: string }) {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const query = useFileVersions(sessionId, path, session?.revision ?? null);
  const versions = query.data ?? NONE;
  const write = useStable((index: number) => {
    const id = versions[index]?.id;
    if (id) setUrl({ version: index === versions.length - 1 ? null : id }, "late");
  });
  const walked = useVersionWalk(versions, url.version, write);
  const { walk } = walked;
  const compared = versions.findIndex(({ id }) => id === url.against);
  const marks = useAgentMarks(versions);
  const isWide = useMedia(PANEL_WIDTH);
  const showsPanel = isWide || url.against !== null;
  const [showsBlame, setShowsBlame] = useState(true);
  const compare = useStable((index: number) => setUrl({ against: versions[index]?.id ?? null }, "replace"));
  const closePanel = useStable(() => setUrl({ against: null }, "replace"));
  const goToRow = () => {
    const version = versions[walk.at()];
    if (version) store.leaveForStep(version);
  };
  const toggleBlame = () => setShowsBlame(!showsBlame);
  useFileKeys(walked, compared, { compare, toggleBlame, goToRow, close: store.closeFile });
  return (
    <section aria-label="File" className="grid h-full grid-rows-[auto_minmax(0,1fr)] [contain:strict]">
      <FileTop path={path} walked={walked} nameOf={marks.nameOf} onRow={versions.length > 0 ? goToRow : null}>
        {versions.length > 0 && !isWide && (
          <DiffButton walked={walked} compared={compared} pressed={showsPanel} onOther={compare} />
        )}
        <Button pressed={showsBlame} onClick={toggleBlame}>
          Blame
        </Button>
      </FileTop>
      {!query.data ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : versions.length === 0 ? (
        <p className="p-6 text-fg-2">
          The logs hold no text of this file: it was not there, or was only looked at as a picture.
        </p>
      ) : (
        <div
          className={clsx(
            "grid min-h-0",
            isWide
              ? "grid-cols-[248px_minmax(0,1fr)_minmax(340px,28%)]"
              : "grid-cols-1 md:grid-cols-[220px_minmax(0,1fr)]",
          )}
        >
          <VersionList path={path} walked={walked} {...marks} />
          {(isWide || !showsPanel) && (
            <div className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
              <Scrubber walked={walked} compared={compared} laneOf={marks.laneOf} />
              <FileText
                path={path}
                walked={walked}
                compared={showsPanel ? compared : null}
                showsBlame={showsBlame}
                showsLine={!isWide}
                {...marks}
              />
            </div>
          )}
          {showsPanel && (
            <div className="min-h-0 min-w-0 border-l border-line-2 *:h-full max-md:border-l-0">
              <ReadPanel
                path={path}
                walked={walked}
                compared={compared}
                nameOf={marks.nameOf}
                onOther={compare}
                onClose={isWide ? null : closePanel}
              />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** The keys of a file's view: arrows go from version to version, with Shift those of the one compared with. */
function useFileKeys(
  { walk, versions }: Walked,
  compared: number,
  on: { compare: (index: number) => void; toggleBlame: () => void; goToRow: () => void; close: () => void },
): void {
  useKeys([
    {
      keys: ["ArrowLeft", "ArrowRight"],
      label: "version before or after (with Shift: the compared one)",
      group: "Move",
      run: ({ key, shiftKey }) => {
        const from = shiftKey ? otherThan(walk.at(), compared) : walk.at();
        const to = Math.max(0, Math.min(versions.length - 1, from + (key === "ArrowLeft" ? -1 : 1)));
        if (shiftKey) on.compare(to);
        else walk.show(to);
      },
    },
    { keys: ["b"], label: "who wrote the lines", group: "Views and panes", run: on.toggleBlame },
    { keys: ["Enter"], label: "the row that made this version", group: "Open and read", run: on.goToRow },
    { keys: ["Escape"], label: "back to the changes", group: "Views and panes", run: on.close },
  ]);
}

/**
 * The head of a file's view: which file and version it is, and the ways to elsewhere. `children`: what changes the view.
 * @param onRow leads to the row that made the version; `null` where there is none
 */
function FileTop({
  path,
  walked,
  nameOf,
  onRow,
  children,
}: {
  path: string;
  walked: Walked;
  nameOf: NameOf;
  onRow: (() => void) | null;
  children: ReactNode;
}) {
  const { session, store } = useSessionPage();
  const isGuest = useIsGuest();
  const root = session?.project.path ?? null;
  return (
    <div className="flex min-h-tool items-center gap-3 border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums max-sm:flex-wrap max-sm:gap-x-2 max-sm:px-2">
      <Button kind="quiet" onClick={store.closeFile} className="max-sm:px-1">
        All files
      </Button>
      <h2 className="min-w-0 truncate font-mono text-code font-semibold text-fg" title={path}>
        <VisibleText text={shortenPath(path, root)} />
      </h2>
      <ShownVersion walked={walked} nameOf={nameOf} />
      <span className="flex-1" />
      {children}
      {onRow && (
        <Button onClick={onRow} className="max-sm:hidden">
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
      <Button onClick={store.closeView} className="max-sm:hidden">
        Back to the thread
      </Button>
    </div>
  );
}

/** Which version the reader is at, whose it is and when it was made. */
function ShownVersion({ walked, nameOf }: { walked: Walked; nameOf: NameOf }) {
  const { versions } = walked;
  const shown = useShownVersion(walked);
  const version = versions[shown];
  if (!version) return null;
  return (
    <>
      <span className="flex-none rounded-1 border border-line-2 px-1 text-11">
        {versionName(versions, shown)} of {versionName(versions, versions.length - 1)}
      </span>
      <span className="min-w-0 truncate max-md:hidden">
        {formatStep(versions, version, nameOf(version.agentId))}
        {version.turn > 0 && ` in turn ${version.turn}`}
        {version.atMs !== null && (
          <>
            , <Moment atMs={version.atMs} />
          </>
        )}
      </span>
    </>
  );
}

/** Opens and closes the comparison, where there is no room for it beside the file. */
function DiffButton({
  walked,
  compared,
  pressed,
  onOther,
}: {
  walked: Walked;
  compared: number;
  pressed: boolean;
  onOther: (index: number) => void;
}) {
  const other = otherThan(useShownVersion(walked), compared);
  if (other < 0) return null;
  return (
    <Button pressed={pressed} onClick={() => onOther(pressed ? -1 : other)}>
      Diff
    </Button>
  );
}

/** The text of the version that is read; with `showsLine`, where the line is from that is pointed at. */
function FileText({
  path,
  walked,
  compared,
  showsBlame,
  showsLine,
  laneOf,
  nameOf,
}: {
  path: string;
  walked: Walked;
  /** The version that it is compared with, -1 for the one before; `null` where nothing is compared. */
  compared: number | null;
  showsBlame: boolean;
  showsLine: boolean;
  laneOf: LaneOf;
  nameOf: NameOf;
}) {
  const { sessionId, url, setUrl, store } = useSessionPage();
  const { walk, versions } = walked;
  const read = useReadVersion(walked);
  const other = compared === null ? undefined : versions[otherThan(read, compared)];
  const query = useFileAt(sessionId, path, versions[read]?.id ?? null, other?.id ?? null);
  const selectLine = useStable((line: number) =>
    setUrl({ line: line === url.line ? null : line }, "replace"),
  );
  const blamed = query.data;
  const rangeOf = (line: number | null) =>
    blamed?.blame.find(({ fromLine, toLine }) => line !== null && fromLine <= line && line <= toLine);
  const selectRange = useStable((line: number) => {
    const range = rangeOf(line);
    if (range) selectLine(range.fromLine);
  });
  const goTo = (by: 1 | -1, ofOther: boolean) => {
    const line = blamed && lineBeside(fileItems(blamed), url.line, by, ofOther);
    if (line) setUrl({ line }, "replace");
  };
  useKeys([
    {
      keys: ["j", "k"],
      label: "line below or above",
      group: "Move",
      run: ({ key }) => goTo(key === "j" ? 1 : -1, false),
    },
    {
      keys: ["J", "K"],
      label: "lines of another step, below or above",
      group: "Move",
      run: ({ key }) => goTo(key === "J" ? 1 : -1, true),
    },
    {
      keys: ["o"],
      label: "the row that wrote the line",
      group: "Open and read",
      when: () => rangeOf(url.line) !== undefined,
      run: () => {
        const range = rangeOf(url.line);
        if (range) store.leaveForStep(range);
      },
    },
  ]);
  return (
    <>
      {!blamed ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : blamed.file.exists === false ? (
        <p className="p-6 text-fg-2">The file was not there any more.</p>
      ) : (
        <BlamedCode
          sessionId={sessionId}
          blamed={blamed}
          showsBlame={showsBlame}
          selected={url.line}
          laneOf={laneOf}
          onLine={selectLine}
          onRange={selectRange}
        />
      )}
      {showsLine && url.line !== null && blamed && (
        <section aria-label="The line" className="max-h-[40vh] overflow-y-auto border-t border-line-2">
          <LineOrigin
            blamed={blamed}
            line={url.line}
            versions={versions}
            nameOf={nameOf}
            onRow={store.leaveForStep}
            onShow={walk.show}
          />
        </section>
      )}
    </>
  );
}

/** What changed between the version that is read and the one that it is compared with. */
function ReadPanel({
  path,
  walked,
  compared,
  nameOf,
  onOther,
  onClose,
}: {
  path: string;
  walked: Walked;
  compared: number;
  nameOf: NameOf;
  onOther: (index: number) => void;
  onClose: (() => void) | null;
}) {
  const { sessionId, url, store } = useSessionPage();
  const { walk, versions } = walked;
  // A frame after the text: each of both is work enough for one.
  const read = useFrameLater(useReadVersion(walked));
  const other = otherThan(read, compared);
  const query = useFileAt(sessionId, path, versions[read]?.id ?? null, versions[other]?.id ?? null);
  const data = useFrameLater(query.data);
  if (!data) return null;
  return (
    <VersionPanel
      sessionId={sessionId}
      path={path}
      versions={versions}
      shown={read}
      other={other}
      blamed={data}
      line={url.line}
      nameOf={nameOf}
      onShow={walk.show}
      onOther={onOther}
      onRow={store.leaveForStep}
      onClose={onClose}
    />
  );
}

/** A file's path in its project, by which other checkouts of that have it as well. */
function pathInProject(path: string, root: string | null): string {
  return (root === null ? null : pathBelow(root, path)) ?? path;
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

/** A value as it was before its last change until that has been drawn, and the next frame begins. */
function useFrameLater<T>(value: T): T {
  const [drawn, setDrawn] = useState<T>(value);
  useEffect(() => {
    if (Object.is(value, drawn)) return;
    const frame = requestAnimationFrame(() => setDrawn(() => value));
    return () => cancelAnimationFrame(frame);
  }, [value, drawn]);
  return drawn;
}

/** A function that never changes and does what the last one given does: what takes it is not drawn again for it. */
function useStable<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const last = useRef(run);
  useLayoutEffect(() => {
    last.current = run;
  });
  return useCallback((...args) => last.current(...args), []);
}
