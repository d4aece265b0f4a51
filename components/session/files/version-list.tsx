import { clsx } from "clsx";
import { memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { ALL_CHANGES, changedFiles, useChangedFiles } from "@/components/session/changes/changed-files";
import { useSessionPage } from "@/components/session/session-store";
import { Segmented } from "@/components/ui/field";
import { shownName } from "@/lib/format/shown-name";
import { comparablePath, splitPath } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { FileVersion } from "@/lib/wire/files";
import { formatStep, listedFiles, useTouchedFiles, versionName } from "./file-versions";
import { type LaneOf, type NameOf, VersionMark } from "./version-mark";
import { useReadVersion, useShownVersion, type Walked } from "./version-walk";

/** The session's changed files, the shown one with its versions. */
export const VersionList = memo(function VersionList({
  path,
  walked,
  laneOf,
  nameOf,
}: {
  path: string;
  walked: Walked;
  laneOf: LaneOf;
  nameOf: NameOf;
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
  // Not a ref: the rows below are mounted before one is filled, and must hear of the list to know what of it is seen.
  const [scroll, setScroll] = useState<HTMLElement | null>(null);
  return (
    <nav
      ref={setScroll}
      aria-label="Files and versions"
      className="relative min-h-0 overflow-y-auto [contain:strict] border-r border-line-2 bg-panel pb-1 max-md:hidden"
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
        const { name, folder } = splitPath(shortenPath(file.path, root));
        const isShown = comparablePath(file.path) === comparablePath(path);
        return (
          <div key={file.path}>
            <button
              type="button"
              title={labelHidden(file.path)}
              aria-current={isShown ? "page" : undefined}
              onClick={() => !isShown && store.views.openFile(file.path)}
              className={clsx(
                "flex h-[26px] w-full items-center gap-2 px-3 text-left hover:bg-raised",
                isShown && "font-semibold",
              )}
            >
              <span className="min-w-0 flex-1 truncate font-mono text-code">
                <VisibleText text={shownName(name)} />{" "}
                <span className="font-sans text-11 font-normal text-fg-3">{folder}</span>
              </span>
              <span className="text-11 font-normal">
                <ChangedLines added={file.added} removed={file.removed} />
              </span>
            </button>
            {isShown && (
              <VersionRows key={above} walked={walked} laneOf={laneOf} nameOf={nameOf} scroll={scroll} />
            )}
          </div>
        );
      })}
    </nav>
  );
});

const VERSION_PX = 24;
/** What stays at the upper edge of the list, and some room. */
const BELOW_HEAD_PX = 48;
/** Rows beyond the edges, for who scrolls. */
const BEYOND = 4;

/** What is seen of the list: from where (`topPx`), how much, and where in it the rows begin. */
type Seen = { topPx: number; heightPx: number; rowsPx: number };

/** A file's versions below its name: those in view, since a file may have hundreds. */
function VersionRows({
  walked,
  laneOf,
  nameOf,
  scroll,
}: {
  walked: Walked;
  laneOf: LaneOf;
  nameOf: NameOf;
  scroll: HTMLElement | null;
}) {
  const { walk, versions } = walked;
  const shown = useShownVersion(walked);
  // The list follows to the version whose text is drawn: while a drag passes others, it stands still.
  const read = useReadVersion(walked);
  const rows = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Seen>({ topPx: 0, heightPx: 0, rowsPx: 0 });
  const [revealed, setRevealed] = useState(-1);
  /** To where the list was scrolled last to show a version. */
  const [goal, setGoal] = useState<{ topPx: number } | null>(null);
  // Known before it is scrolled there: the rows are drawn at once, and the list is not asked how it is laid out.
  if (seen.heightPx > 0 && revealed !== read) {
    setRevealed(read);
    const topPx = topToReveal(read, versions.length, seen);
    if (topPx !== seen.topPx) {
      setSeen({ ...seen, topPx });
      setGoal({ topPx });
    }
  }
  useLayoutEffect(() => {
    const box = rows.current;
    if (!scroll || !box) return;
    const look = () => {
      const now = { topPx: scroll.scrollTop, heightPx: scroll.clientHeight, rowsPx: box.offsetTop };
      // A version that was revealed is drawn where it is already: of its own scrolling nothing follows.
      setSeen((was) => (isSame(was, now) ? was : now));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(scroll);
    scroll.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      scroll.removeEventListener("scroll", look);
    };
  }, [scroll]);
  const { topPx } = seen;
  // Once for each version that is out of sight: to scroll has the page laid out, even where nothing moves.
  useLayoutEffect(() => {
    if (goal) scroll?.scrollTo({ top: goal.topPx });
  }, [goal, scroll]);
  const first = Math.max(0, Math.floor((topPx - seen.rowsPx) / VERSION_PX) - BEYOND);
  const end = Math.ceil((topPx + seen.heightPx - seen.rowsPx) / VERSION_PX) + BEYOND;
  return (
    <div ref={rows} className="relative" style={{ height: versions.length * VERSION_PX }}>
      {versions.slice(first, Math.max(first, end)).map((version, at) => {
        const index = first + at;
        return (
          <VersionRow
            key={version.id}
            index={index}
            version={version}
            versions={versions}
            nameOf={nameOf}
            laneOf={laneOf}
            shown={index === shown}
            onShow={walk.show}
          />
        );
      })}
    </div>
  );
}

function isSame(one: Seen, other: Seen): boolean {
  return one.topPx === other.topPx && one.heightPx === other.heightPx && one.rowsPx === other.rowsPx;
}

/**
 * To where the list is scrolled so that one of so many versions is in view: nowhere where it is, else so that it stands
 * in the middle. A reader who goes from version to version has a list that stands still in between.
 */
function topToReveal(index: number, count: number, { topPx, heightPx, rowsPx }: Seen): number {
  const rowPx = rowsPx + index * VERSION_PX;
  const highest = Math.max(0, rowPx - BELOW_HEAD_PX);
  const lowest = rowPx + VERSION_PX - heightPx;
  if (lowest <= topPx && topPx <= highest) return topPx;
  const end = rowsPx + count * VERSION_PX - heightPx;
  return Math.max(0, Math.min(rowPx - (heightPx - VERSION_PX) / 2, end));
}

/** Words of so many letters need not be cut: each that is clipped is a layer more in every frame. */
const SHORT_STEP = 8;

/** A version in the list, worded and drawn again only when it changes. */
const VersionRow = memo(function VersionRow({
  index,
  version,
  versions,
  nameOf,
  laneOf,
  shown,
  onShow,
}: {
  index: number;
  version: FileVersion;
  versions: readonly FileVersion[];
  nameOf: NameOf;
  laneOf: LaneOf;
  shown: boolean;
  onShow: (index: number) => void;
}) {
  const isOutside = version.kind === "outside" || version.kind === "deleted";
  const step = formatStep(versions, version, nameOf(version.agentId));
  return (
    <button
      type="button"
      aria-current={shown ? "true" : undefined}
      onClick={() => onShow(index)}
      style={{ top: index * VERSION_PX, height: VERSION_PX }}
      className={clsx(
        "absolute inset-x-0 grid grid-cols-[14px_20px_minmax(0,1fr)_auto_auto] items-center gap-x-1.5 pr-3 pl-4 text-left text-12 tabular-nums hover:bg-raised",
        shown ? "bg-sel font-semibold shadow-[inset_2px_0_0_var(--accent)]" : "text-fg-2",
      )}
    >
      <VersionMark kind={version.kind} lane={laneOf(version.agentId)} />
      <span className="text-right" title={version.turn > 0 ? undefined : "On another branch"}>
        {version.turn > 0 ? version.turn : "–"}
      </span>
      <span
        className={clsx(
          step.length > SHORT_STEP ? "truncate" : "whitespace-nowrap",
          isOutside && "text-warn",
        )}
      >
        {step}
      </span>
      <span className="text-11 font-normal">
        <ChangedLines added={version.added} removed={version.removed} />
      </span>
      <span className="min-w-5 text-right text-11 font-normal text-fg-3">{versionName(versions, index)}</span>
    </button>
  );
});
