import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { groupSessions, type LibraryItem } from "@/lib/client/group-sessions";
import { measuresOf } from "@/lib/client/measures";
import { usePreferences } from "@/lib/client/preferences";
import type { LibraryList } from "@/lib/client/use-library";
import { useNarrow } from "@/lib/client/use-media";
import { useProjects } from "@/lib/client/use-projects";
import { GroupRow } from "./group-row";
import { itemHeightPx } from "./item-height";
import { ListHead } from "./list-head";
import { listPlace, rememberPlace } from "./list-place";
import { ListState } from "./list-state";
import { NarrowRow } from "./narrow-row";
import { SessionRow } from "./session-row";
import { useListCursor } from "./use-list-cursor";

/** The table of sessions, or what stands in its place while there are none. */
export function SessionList({ library }: { library: LibraryList }) {
  const { shown, complete, filters, nowMs } = library;
  const narrow = useNarrow();
  const items = useMemo(
    () => groupSessions(shown, { sort: filters.sort, nowMs, complete }),
    [shown, filters.sort, nowMs, complete],
  );
  if (shown.length === 0) return <ListState library={library} />;
  return (
    <div
      role="table"
      aria-label="Sessions"
      aria-rowcount={complete ? items.length + 1 : -1}
      className="flex min-h-0 flex-1 flex-col"
    >
      {narrow ? null : <ListHead />}
      <VirtualItems items={items} library={library} narrow={narrow} />
    </div>
  );
}

function VirtualItems({
  items,
  library,
  narrow,
}: {
  items: readonly LibraryItem[];
  library: LibraryList;
  narrow: boolean;
}) {
  const scrollBox = useRef<HTMLDivElement>(null);
  const measures = measuresOf(usePreferences());
  const projects = useProjects().data;
  const projectById = useMemo(() => new Map(projects?.map((project) => [project.id, project])), [projects]);
  const place = listPlace(window.location.search);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollBox.current,
    estimateSize: (index) => itemHeightPx(items[index], narrow, measures),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 12,
    initialOffset: place.offsetPx,
  });
  const cursor = useListCursor(items, virtualizer, place.cursorKey);

  // Heights depend on more than the index, so another list or text size needs them anew.
  useEffect(() => virtualizer.measure(), [virtualizer, items, narrow, measures.unit, measures.roomyPx]);

  const drawn = virtualizer.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  const { loadMore } = library;
  useEffect(() => {
    if (lastDrawn >= items.length - 50) loadMore();
  }, [lastDrawn, items.length, loadMore]);

  const Row = narrow ? NarrowRow : SessionRow;
  return (
    <div
      ref={scrollBox}
      role="presentation"
      className="min-h-0 flex-1 overflow-y-scroll [contain:strict]"
      onScroll={(event) => rememberPlace(window.location.search, event.currentTarget.scrollTop, cursor.key)}
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
              onClickCapture={() => cursor.set(item)}
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
