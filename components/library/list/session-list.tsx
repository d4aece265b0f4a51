import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useListPlace } from "@/components/ui/list-place";
import { LiveDot } from "@/components/ui/marks";
import { useProjects, useProjectsById } from "@/lib/client/queries";
import { useNarrow } from "@/lib/client/use-media";
import { formatCount } from "@/lib/format/format";
import { libraryHref } from "../library-filters";
import { isListLoading, ListState } from "../list-state";
import { useSelectionKeys } from "../selected-sessions";
import type { LibraryList } from "../use-library";
import { branchWidth, columnWidths, projectWidth } from "./column-widths";
import { groupSessions, type LibraryItem } from "./group-sessions";
import { useListCursor, useListKeys } from "./list-cursor";
import { ListHead } from "./list-head";
import { NarrowRow, SessionRow } from "./session-row";
import { useSessionVirtualizer } from "./session-virtualizer";

/** The table of sessions, or what is shown instead while there are none. */
export function SessionList({ library }: { library: LibraryList }) {
  const { shown, complete, filters, nowMs } = library;
  const narrow = useNarrow();
  const asked = libraryHref(filters);
  // Until the requested list is there, the previous one is shown, and must not be kept where the next one begins.
  const [list, setList] = useState(asked);
  if (library.settled && list !== asked) setList(asked);
  const awaitedRef = useRef(false);
  const items = useMemo(
    () => groupSessions(shown, { sort: filters.sort, nowMs, complete }),
    [shown, filters.sort, nowMs, complete],
  );
  const projects = useProjects().data;
  const widths = useMemo(
    () => ({ ...columnWidths(filters.sort), ...projectWidth(projects ?? []), ...branchWidth(shown) }),
    [filters.sort, projects, shown],
  );
  if (shown.length === 0) {
    if (narrow || !isListLoading(library)) return <ListState library={library} />;
    return (
      <div className="flex min-h-0 flex-1 flex-col" style={widths}>
        <div role="table" aria-label="Sessions" aria-busy="true">
          <ListHead />
        </div>
        <ListState library={library} />
      </div>
    );
  }
  return (
    <div
      role="table"
      aria-label="Sessions"
      aria-rowcount={complete ? items.length + 1 : -1}
      className="flex min-h-0 flex-1 flex-col"
      style={widths}
    >
      {narrow ? null : <ListHead />}
      {/* Another filter or order is another list, which starts at its own position. */}
      <VirtualSessions
        key={list}
        list={list}
        asked={asked}
        items={items}
        library={library}
        narrow={narrow}
        awaitedRef={awaitedRef}
      />
    </div>
  );
}

const LOAD_AHEAD = 50;

/** The rows on screen, of any number. Heights are known, so nothing is measured. */
function VirtualSessions({
  list,
  asked,
  items,
  library,
  narrow,
  awaitedRef,
}: {
  /** Identifies the list: its address, which the browser has a moment later. */
  list: string;
  /** The one that the filters ask for, which is the same once it is there. */
  asked: string;
  items: readonly LibraryItem[];
  library: LibraryList;
  narrow: boolean;
  /** Enter was pressed while a list was still loading: it is for the first row of that list. */
  awaitedRef: RefObject<boolean>;
}) {
  const scrollBox = useRef<HTMLDivElement>(null);
  const { projectById } = useProjectsById();
  const cursor = useListCursor(list, asked, items);
  const virtualizer = useSessionVirtualizer(list, items, { scrollBox, narrow, kept: cursor.index });
  const totalPx = virtualizer.getTotalSize();
  const { scrolled, giveUp } = useListPlace({ view: "library", list }, scrollBox, {
    totalPx,
    complete: library.complete,
  });
  const current = items[cursor.index];
  useSelectionKeys(library.shown, current?.kind === "session" ? current.session : null);
  useListKeys(
    items,
    cursor,
    (index) => {
      giveUp();
      virtualizer.scrollToIndex(index, { align: "auto" });
    },
    library.settled,
    awaitedRef,
  );

  const drawn = virtualizer.getVirtualItems();
  useLoadAhead(virtualizer.range?.endIndex ?? 0, items.length, library.loadMore);

  const Row = narrow ? NarrowRow : SessionRow;
  return (
    <div
      ref={scrollBox}
      role="presentation"
      className="min-h-0 flex-1 overflow-y-scroll [contain:strict]"
      onScroll={({ currentTarget }) => scrolled(currentTarget.scrollTop)}
      onWheel={giveUp}
      onPointerDown={giveUp}
      onTouchStart={giveUp}
    >
      <div role="rowgroup" className="relative" style={{ height: totalPx }}>
        {drawn.map(({ index, key, size, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
              onClickCapture={() => cursor.choose(item, false)}
            >
              {item.kind === "group" ? (
                <GroupRow label={item.label} count={item.count} live={item.live} />
              ) : (
                <Row
                  session={item.session}
                  project={projectById.get(item.session.projectId)}
                  sort={library.filters.sort}
                  current={item.key === cursor.key}
                  tabStop={item.key === cursor.tabStopKey}
                  focused={item.key === cursor.focusKey}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Asks for more of the list when its end comes near the screen. */
function useLoadAhead(end: number, count: number, loadMore: () => void): void {
  useEffect(() => {
    if (end >= count - LOAD_AHEAD) loadMore();
  }, [end, count, loadMore]);
}

/** A heading in the list: Running, Today, October. */
function GroupRow({ label, count, live }: { label: string; count: number | null; live: boolean }) {
  return (
    <div
      role="cell"
      className="flex h-full items-center gap-2 border-b border-line bg-panel px-3 text-12 font-semibold"
    >
      {live ? <LiveDot /> : null}
      <h2>{label}</h2>
      {count === null ? null : (
        <span className="text-11 font-normal text-fg-3 tabular-nums">{formatCount(count)}</span>
      )}
    </div>
  );
}
