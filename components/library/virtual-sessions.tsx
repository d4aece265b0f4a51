import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { measuresOf } from "@/lib/client/measures";
import { usePreferences } from "@/lib/client/preferences";
import { useProjects } from "@/lib/client/use-projects";
import { GroupRow } from "./group-row";
import type { LibraryItem } from "./group-sessions";
import { itemHeightPx } from "./item-height";
import { listPlace, rememberPlace } from "./list-place";
import { NarrowRow } from "./narrow-row";
import { SessionRow } from "./session-row";
import type { LibraryList } from "./use-library";
import { useListCursor } from "./use-list-cursor";
import { useListKeys } from "./use-list-keys";

const LOAD_AHEAD = 50;

/** The rows that are on screen, of however many. Heights are known, so nothing is measured. */
export function VirtualSessions({
  items,
  library,
  narrow,
}: {
  items: readonly LibraryItem[];
  library: LibraryList;
  narrow: boolean;
}) {
  const scrollBox = useRef<HTMLDivElement>(null);
  const { unit, roomyPx } = measuresOf(usePreferences());
  const projects = useProjects().data;
  const projectById = useMemo(() => new Map(projects?.map((project) => [project.id, project])), [projects]);
  const cursor = useListCursor(items);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollBox.current,
    estimateSize: (index) => itemHeightPx(items[index], narrow, { unit, roomyPx }),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 12,
    initialOffset: listPlace(window.location.search).offsetPx,
    // A session that moves to the top does not move what is being read.
    anchorTo: "end",
    // The selected row stays in the page, so that the focus on it survives scrolling.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return cursor.index < 0 || indexes.includes(cursor.index) ? indexes : [...indexes, cursor.index];
    },
  });
  useListKeys(items, cursor, (index) => virtualizer.scrollToIndex(index, { align: "auto" }), library.settled);

  // Heights depend on more than the index, so another list or text size needs them anew.
  useEffect(() => virtualizer.measure(), [virtualizer, items, narrow, unit, roomyPx]);

  const drawn = virtualizer.getVirtualItems();
  const { endIndex } = virtualizer.range ?? { endIndex: 0 };
  const { loadMore } = library;
  useEffect(() => {
    if (endIndex >= items.length - LOAD_AHEAD) loadMore();
  }, [endIndex, items.length, loadMore]);

  const Row = narrow ? NarrowRow : SessionRow;
  return (
    <div
      ref={scrollBox}
      role="presentation"
      className="min-h-0 flex-1 overflow-y-scroll [contain:strict]"
      onScroll={({ currentTarget }) =>
        rememberPlace(window.location.search, { offsetPx: currentTarget.scrollTop })
      }
    >
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
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
