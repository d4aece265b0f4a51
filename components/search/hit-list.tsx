import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useImperativeHandle, useRef } from "react";
import { rangeWith } from "@/components/ui/kept-row";
import { listPlace, useListPlace } from "@/components/ui/list-place";
import { measuresOf, usePreferences } from "@/lib/client/preferences";
import { useNarrow } from "@/lib/client/use-media";
import { formatCount } from "@/lib/format/format";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Project, SessionSummary } from "@/lib/wire/library";
import type { HitPlace } from "@/lib/wire/search";
import { HitGroupRow, HitRow } from "./hit-row";
import { hitHref } from "./search-facets";
import { type HitItem, hitKey, hitOf } from "./search-groups";
import { useHitPlaces } from "./use-hit-places";

export type HitListHandle = { reveal: (index: number) => void };

/** What all entries of a list are drawn with. */
export type HitEntries = {
  query: string;
  sessions: ReadonlyMap<SessionId, SessionSummary>;
  projects: ReadonlyMap<ProjectId, Project>;
  bySession: boolean;
  onFold: (sessionId: SessionId) => void;
  /** Shows the hits of a session that are left out. */
  onMore: (sessionId: SessionId) => void;
};

type HitListProps = {
  /** Identifies the list: its query, facets and order. */
  list: string;
  /** No more hits will follow. */
  complete: boolean;
  /** Requests the hits that the server has held back; `undefined` if there are none. */
  more: (() => void) | undefined;
  items: readonly HitItem[];
  /** The index of the selected hit in `items`, -1 for none. */
  current: number;
  /** The keys have moved to it. */
  focused: boolean;
  entries: HitEntries;
  onChoose: (item: HitItem) => void;
  ref: Ref<HitListHandle>;
};

/** The hits, of which only those near the screen are in the page. */
export function HitList({
  list,
  complete,
  more,
  items,
  current,
  focused,
  entries,
  onChoose,
  ref,
}: HitListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const preferences = usePreferences();
  const narrow = useNarrow();
  const { unit, roomyPx } = measuresOf(preferences);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: (index) => (items[index]?.kind === "hit" && narrow ? 48 : 28) * unit + roomyPx,
    overscan: 12,
    initialOffset: listPlace("search", list).offsetPx,
    // The selected row stays in the page, so that the focus on it survives scrolling.
    rangeExtractor: (range) => rangeWith(range, current),
  });
  const totalPx = virtualizer.getTotalSize();
  const { scrolled, giveUp } = useListPlace({ view: "search", list }, scroller, {
    totalPx,
    complete,
    more,
  });
  useImperativeHandle(ref, () => ({
    reveal: (index) => {
      giveUp();
      virtualizer.scrollToIndex(index, { align: "auto" });
    },
  }));
  const onScreen = virtualizer.getVirtualItems();
  const places = useHitPlaces(
    onScreen.flatMap(({ index }) => {
      const item = items[index];
      return item?.kind === "hit" ? [item.hit] : [];
    }),
  );
  const firstHit = items.findIndex((item) => hitOf(item) !== null);
  return (
    <div
      ref={scroller}
      tabIndex={-1}
      className="min-h-0 flex-1 overflow-auto"
      onScroll={({ currentTarget }) => scrolled(currentTarget.scrollTop)}
      onWheel={giveUp}
      onPointerDown={giveUp}
      onTouchStart={giveUp}
    >
      <div role="list" aria-label="Results" className="relative" style={{ height: totalPx }}>
        {onScreen.map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <div
              key={item.key}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={items.length}
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
              onClickCapture={() => onChoose(item)}
            >
              <HitItemRow
                item={item}
                place={item.kind === "hit" ? places.get(hitKey(item.hit)) : undefined}
                entries={entries}
                narrow={narrow}
                current={index === current}
                tabStop={index === (current < 0 ? firstHit : current)}
                focused={focused && index === current}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** One entry of the list: a session's head, a hit, or the button for a session's others. */
function HitItemRow({
  item,
  place,
  entries,
  narrow,
  current,
  tabStop,
  focused,
}: {
  item: HitItem;
  place: HitPlace | undefined;
  entries: HitEntries;
  narrow: boolean;
  current: boolean;
  tabStop: boolean;
  focused: boolean;
}) {
  const { query, sessions, projects, bySession, onFold, onMore } = entries;
  const { detail } = usePreferences();
  const own = { current, tabStop, focused };
  if (item.kind === "session") {
    const session = sessions.get(item.sessionId);
    return (
      <HitGroupRow
        {...own}
        item={item}
        session={session}
        project={session && projects.get(session.projectId)}
        href={item.hit && hitHref(item.hit, query, detail)}
        onFold={onFold}
      />
    );
  }
  if (item.kind === "hit")
    return (
      <HitRow
        {...own}
        hit={item.hit}
        place={place}
        href={hitHref(item.hit, query, detail)}
        narrow={narrow}
        session={bySession ? undefined : sessions.get(item.hit.sessionId)?.title}
      />
    );
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={() => onMore(item.sessionId)}
      className="flex h-full w-full items-center border-b border-line pl-[calc(36px+156px*var(--u))] text-12 text-fg-3 hover:bg-raised hover:text-fg max-sm:pl-3"
    >
      Show {formatCount(item.left)} more
    </button>
  );
}
