import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from "react";
import { listPlace, rememberPlace, useListPlace } from "@/components/ui/list-place";
import { useOpenPage } from "@/lib/client/address";
import { withBasePath } from "@/lib/client/base-path";
import { useKeys } from "@/lib/client/key-registry";
import { measuresOf, usePreferences } from "@/lib/client/preferences";
import { useNarrow } from "@/lib/client/use-media";
import { formatCount } from "@/lib/format/format";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Project, SessionSummary } from "@/lib/wire/library";
import { useAwaitedEnter } from "./awaited-enter";
import { HitGroupRow, HitRow } from "./hit-row";
import { hitHref } from "./search-facets";
import { type HitItem, hitKey, hitOf } from "./search-groups";
import { useHitPlaces } from "./use-hit-places";
import type { Search } from "./use-search";

export type HitListHandle = { reveal: (index: number) => void };

/** The hits, of which only those near the screen are in the page. */
export function HitList({
  list,
  complete,
  more,
  items,
  current,
  focused,
  query,
  sessions,
  projects,
  bySession,
  onChoose,
  onFold,
  onMore,
  ref,
}: {
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
  query: string;
  sessions: ReadonlyMap<SessionId, SessionSummary>;
  projects: ReadonlyMap<ProjectId, Project>;
  bySession: boolean;
  onChoose: (item: HitItem) => void;
  onFold: (sessionId: SessionId) => void;
  onMore: (sessionId: SessionId) => void;
  ref: Ref<HitListHandle>;
}) {
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
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return current < 0 || indexes.includes(current) ? indexes : [...indexes, current];
    },
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
              {item.kind === "session" && (
                <HitGroupRow
                  item={item}
                  session={sessions.get(item.sessionId)}
                  project={projectOf(sessions.get(item.sessionId))}
                  href={item.hit && hitHref(item.hit, query, preferences.detail)}
                  current={index === current}
                  tabStop={index === (current < 0 ? firstHit : current)}
                  focused={focused && index === current}
                  onFold={onFold}
                />
              )}
              {item.kind === "hit" && (
                <HitRow
                  hit={item.hit}
                  place={places.get(hitKey(item.hit))}
                  href={hitHref(item.hit, query, preferences.detail)}
                  current={index === current}
                  narrow={narrow}
                  tabStop={index === (current < 0 ? firstHit : current)}
                  focused={focused && index === current}
                  session={bySession ? undefined : sessions.get(item.hit.sessionId)?.title}
                />
              )}
              {item.kind === "more" && (
                <button
                  type="button"
                  tabIndex={-1}
                  onClick={() => onMore(item.sessionId)}
                  className="flex h-full w-full items-center border-b border-line pl-[calc(36px+156px*var(--u))] text-12 text-fg-3 hover:bg-raised hover:text-fg max-sm:pl-3"
                >
                  Show {formatCount(item.left)} more
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );

  function projectOf(session: SessionSummary | undefined): Project | undefined {
    return session && projects.get(session.projectId);
  }
}

/** The selected hit and the keys that move it: `j k` hits, `J K` sessions, Enter opens. */
export function useHitCursor({
  list,
  items,
  search,
  query,
  reveal,
  expand,
  focusField,
}: {
  /** Identifies the list, as for `HitList`. */
  list: string;
  items: readonly HitItem[];
  search: Search;
  query: string;
  reveal: (index: number) => void;
  expand: (sessionId: SessionId) => void;
  focusField: () => void;
}) {
  const openPage = useOpenPage();
  const { detail } = usePreferences();
  const [key, setKey] = useState(() => listPlace("search", list).cursorKey);
  /**
   * The list in which the keys have moved, or to which the reader has come back: while another one is shown they may be
   * typing.
   */
  const [movedIn, setMovedIn] = useState(() =>
    key !== null && document.activeElement === document.body ? list : null,
  );
  const index = key === null ? -1 : items.findIndex((item) => item.key === key);

  const firstHit = items.find((item) => hitOf(item) !== null);
  const openNow = (newTab: boolean) => {
    const item = items[index] ?? firstHit;
    if (item?.kind === "more") return expand(item.sessionId);
    const hit = hitOf(item);
    if (!hit) return;
    const href = hitHref(hit, query.trim(), detail);
    if (newTab) window.open(withBasePath(href), "_blank", "noopener");
    else openPage(href);
  };
  const enter = useAwaitedEnter({ search, query, hasHit: firstHit !== undefined, open: openNow });
  const open = (newTab = false) => (enter.isDue ? enter.remember(newTab) : openNow(newTab));

  const choose = (item: HitItem, byKeys: boolean) => {
    setKey(item.key);
    setMovedIn(byKeys ? list : null);
    rememberPlace("search", list, { cursorKey: item.key });
  };
  const goTo = (next: number, inField = false) => {
    enter.forget();
    const item = items[next];
    if (!item) return;
    // A reader who moved into the list from the field may continue typing.
    choose(item, !inField);
    reveal(next);
  };
  const step = (by: 1 | -1, inField = false) => {
    let next = index < 0 && by < 0 ? items.length : index;
    do next += by;
    while (isHead(items[next]));
    goTo(next, inField);
  };
  /** To the first hit of the next session, or of this one or the one before. */
  const stepSession = (by: 1 | -1) => {
    const heads = items.flatMap((item, at) => (item.kind === "session" ? [at] : []));
    const place = heads.findLastIndex((at) => at <= index);
    const atFirst = index === firstOf(heads[place] ?? 0);
    const head = heads[place + (by === 1 ? 1 : atFirst ? -1 : 0)];
    if (head !== undefined) goTo(firstOf(head));
  };
  const firstOf = (head: number) => (isHead(items[head]) ? head + 1 : head);
  useKeys([
    { keys: ["/"], label: "query", group: "Find", run: focusField },
    { keys: ["j", "ArrowDown"], label: "next result", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "previous result", group: "Move", run: () => step(-1) },
    { keys: ["J"], label: "next session", group: "Move", run: () => stepSession(1) },
    { keys: ["K"], label: "previous session", group: "Move", run: () => stepSession(-1) },
    { keys: ["G"], label: "last result", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open at the result", group: "Open and read", run: () => open() },
    {
      keys: ["mod+enter"],
      label: "open in a new tab",
      group: "Open and read",
      inFields: true,
      run: () => open(true),
    },
  ]);

  return {
    index,
    /** The keys have moved there, so it gets the focus. */
    hasMoved: movedIn === list,
    /** The hit that was opened is where the reader continues when they come back. */
    choose: (item: HitItem) => {
      if (hitOf(item) !== null) choose(item, false);
    },
    /** The number of the selected hit, from 1; `null` for none. */
    hitNumber: index < 0 ? null : items.slice(0, index + 1).filter((item) => hitOf(item) !== null).length,
    /** In the field: arrows move into the list, Enter opens a hit, Escape leaves the field. */
    onFieldKey: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey) return;
      if (event.key === "ArrowDown") step(1, true);
      else if (event.key === "ArrowUp") step(-1, true);
      else if (event.key === "Enter") open();
      else if (event.key === "Escape") event.currentTarget.blur();
      else return;
      event.preventDefault();
    },
    /** A reader who leaves the field has changed their mind about the Enter pressed there. */
    onFieldLeft: enter.forget,
  };
}

/** A heading that is no hit itself is skipped. */
function isHead(item: HitItem | undefined): boolean {
  return item?.kind === "session" && item.hit === null;
}
