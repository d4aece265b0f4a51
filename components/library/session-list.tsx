import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Icon } from "@/components/ui/icon";
import { listPlace, rememberPlace, useListPlace } from "@/components/ui/list-place";
import { LiveDot } from "@/components/ui/marks";
import { useOpenPage } from "@/lib/client/address";
import { useKeys } from "@/lib/client/key-registry";
import { measuresOf, usePreferences } from "@/lib/client/preferences";
import { useProjects } from "@/lib/client/queries";
import { useNarrow } from "@/lib/client/use-media";
import { formatCount } from "@/lib/format/format";
import { splitPath } from "@/lib/format/text";
import { isInProgress } from "@/lib/wire/library";
import { isSort, LIBRARY_COLUMNS, numberColumns, type SessionSort } from "@/lib/wire/library-columns";
import { groupSessions, type LibraryItem } from "./group-sessions";
import { libraryHref, useLibraryFilters } from "./library-filters";
import { isListLoading, ListState } from "./list-state";
import { ACTIVITY_SHOWN, BRANCH_SHOWN, columnWidths, shownClass } from "./number-columns";
import { useSelectionKeys } from "./selected-sessions";
import { NarrowRow, SessionRow } from "./session-row";
import { useSteadyRows } from "./steady-rows";
import type { LibraryList } from "./use-library";

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
        items={items}
        library={library}
        narrow={narrow}
        awaitedRef={awaitedRef}
      />
    </div>
  );
}

/** The average width of a letter at the normal text size. */
const CH_PX = 7;
const MIN_PROJECT_CH = 8;
const MAX_PROJECT_CH = 22;
const MIN_BRANCH_CH = 8;

/** The column of projects is as wide as the longest name, within limits. */
function projectWidth(projects: readonly { path: string }[]): CSSProperties {
  const longest = Math.max(0, ...projects.map(({ path }) => splitPath(path).name.length));
  const characters = Math.min(MAX_PROJECT_CH, Math.max(MIN_PROJECT_CH, longest + 1));
  return { "--project-column": `calc(${characters * CH_PX}px * var(--u))` } as CSSProperties;
}

/** The column of branches is no wider than the longest name among these; the page's width sets its limit. */
function branchWidth(sessions: readonly { gitBranch: string | null }[]): CSSProperties {
  let longest = MIN_BRANCH_CH;
  for (const { gitBranch } of sessions) longest = Math.max(longest, gitBranch?.length ?? 0);
  return { "--branch-column": `calc(${longest + 1} * ${CH_PX}px * var(--u))` } as CSSProperties;
}

const LOAD_AHEAD = 50;

/** The rows on screen, of any number. Heights are known, so nothing is measured. */
function VirtualSessions({
  list,
  items,
  library,
  narrow,
  awaitedRef,
}: {
  /** Identifies the list: its address, which the browser has a moment later. */
  list: string;
  items: readonly LibraryItem[];
  library: LibraryList;
  narrow: boolean;
  /** Enter was pressed while a list was still loading: it is for the first row of that list. */
  awaitedRef: RefObject<boolean>;
}) {
  const scrollBox = useRef<HTMLDivElement>(null);
  const projects = useProjects().data;
  const projectById = useMemo(() => new Map(projects?.map((project) => [project.id, project])), [projects]);
  const cursor = useListCursor(list, items);
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

/**
 * Which of the rows are drawn, and where.
 * @param kept the index of a row that stays in the page wherever the list is scrolled; -1 for none
 */
function useSessionVirtualizer(
  list: string,
  items: readonly LibraryItem[],
  { scrollBox, narrow, kept }: { scrollBox: RefObject<HTMLElement | null>; narrow: boolean; kept: number },
) {
  const { unit, roomyPx } = measuresOf(usePreferences());
  const heightOf = useCallback(
    (item: LibraryItem | undefined) => itemHeightPx(item, narrow, { unit, roomyPx }),
    [narrow, unit, roomyPx],
  );
  const topPx = useRef(0);
  // Before the virtual list moves it, whose own effect comes next.
  useLayoutEffect(() => {
    topPx.current = scrollBox.current?.scrollTop ?? 0;
  });
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollBox.current,
    estimateSize: (index) => heightOf(items[index]),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 12,
    initialOffset: listPlace("library", list).offsetPx,
    // A session that moves to the top does not move the row that is being read.
    anchorTo: "end",
    // The selected row stays in the page, so that the focus on it survives scrolling.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return kept < 0 || indexes.includes(kept) ? indexes : [...indexes, kept];
    },
  });
  useSteadyRows(scrollBox, items, heightOf, topPx);
  // Heights depend on more than the index, so another list or text size requires them again.
  useEffect(() => virtualizer.measure(), [virtualizer, items, heightOf]);
  return virtualizer;
}

/** The height of an item of the library's list, at the reader's text size and row height. */
function itemHeightPx(
  item: LibraryItem | undefined,
  narrow: boolean,
  { unit, roomyPx }: ReturnType<typeof measuresOf>,
): number {
  if (!item || item.kind === "group") return Math.round(28 * unit);
  if (narrow) return Math.round(54 * unit) + roomyPx;
  const two = isInProgress(item.session) || item.session.problem !== null;
  return Math.round((two ? 48 : 30) * unit) + roomyPx;
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

/** The current row of the keys. */
export type ListCursor = {
  /** Its index in the list; -1 while none is chosen or its session is filtered out. */
  index: number;
  /** Drawn as selected. */
  key: string | null;
  /** The list's one tab stop: the selected row, else the first session. */
  tabStopKey: string | null;
  /** Set when the keys have moved here, or the reader has come back: that row takes the focus. */
  focusKey: string | null;
  choose: (item: LibraryItem | undefined, byKeys: boolean) => void;
};

/** Keeps the selected row by its session, so that a renewed list moves the selection with it. */
function useListCursor(list: string, items: readonly LibraryItem[]): ListCursor {
  const [chosen, setChosen] = useState(() => ({
    key: listPlace("library", list).cursorKey,
    // A reader who comes back to the list gets the focus where it was, unless they are typing a filter already.
    byKeys: document.activeElement === document.body,
  }));
  const index = items.findIndex((item) => item.kind === "session" && item.key === chosen.key);
  const key = index < 0 ? null : chosen.key;
  const choose = (item: LibraryItem | undefined, byKeys: boolean) => {
    if (item?.kind !== "session") return;
    setChosen({ key: item.key, byKeys });
    rememberPlace("library", list, { cursorKey: item.key });
  };
  const lastIndex = useRef(index);
  useEffect(() => {
    if (index >= 0) lastIndex.current = index;
    // The focus was lost with the row, for example when it was hidden: the row in its place gets it, or else the last
    // one above.
    else if (chosen.byKeys && lastIndex.current >= 0 && document.activeElement === document.body) {
      const isSession = ({ kind }: LibraryItem) => kind === "session";
      const below = items.slice(lastIndex.current).find(isSession);
      choose(below ?? items.slice(0, lastIndex.current).findLast(isSession), true);
    }
  });
  return {
    index,
    key,
    tabStopKey: key ?? items[firstSession(items)]?.key ?? null,
    focusKey: chosen.byKeys ? key : null,
    choose,
  };
}

/** The index of the first session; -1 when there is none. */
function firstSession(items: readonly LibraryItem[]): number {
  return items.findIndex((item) => item.kind === "session");
}

/** The keys of the list. `reveal` scrolls an item into view; `settled`: the list matches the filters. */
function useListKeys(
  items: readonly LibraryItem[],
  cursor: ListCursor,
  reveal: (index: number) => void,
  settled: boolean,
  awaitedRef: RefObject<boolean>,
): void {
  const openPage = useOpenPage();
  const goTo = (index: number) => {
    awaitedRef.current = false;
    if (items[index]?.kind !== "session") return;
    cursor.choose(items[index], true);
    reveal(index);
  };
  const step = (by: 1 | -1) => {
    let index = cursor.index;
    if (index < 0 && by < 0) index = items.length;
    do index += by;
    while (items[index]?.kind === "group");
    goTo(index);
  };
  const open = () => {
    // A filter may have removed the chosen session from the list, and Tab would lead to the first one.
    const item = items[cursor.index] ?? (settled ? items[firstSession(items)] : undefined);
    awaitedRef.current = !item && !settled;
    if (item?.kind !== "session") return;
    cursor.choose(item, true);
    openPage(`/sessions/${encodeURIComponent(item.session.id)}`);
  };
  useEffect(() => {
    if (!awaitedRef.current || !settled) return;
    // A reader who types on has changed their mind.
    if (document.activeElement instanceof HTMLInputElement) awaitedRef.current = false;
    else open();
  });
  useKeys([
    { keys: ["j", "ArrowDown"], label: "session down", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "session up", group: "Move", run: () => step(-1) },
    { keys: ["g", "Home"], label: "first session", group: "Move", run: () => goTo(firstSession(items)) },
    { keys: ["G", "End"], label: "last session loaded", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open session", group: "Open and read", run: open },
  ]);
}

/** Heads of the wide table's columns; those by which the list can be ordered are buttons. */
function ListHead() {
  const [{ sort }] = useLibraryFilters();
  return (
    <div
      role="rowgroup"
      className="flex-none overflow-y-scroll border-b border-line-2 [scrollbar-color:transparent_transparent]"
    >
      <div role="row" className="library-columns h-7 pr-4 pl-3 text-11 whitespace-nowrap text-fg-3">
        <span role="columnheader">
          <span className="sr-only">State</span>
        </span>
        <Head sort="title">{LIBRARY_COLUMNS.title.head}</Head>
        <Head>Project</Head>
        <Head className={BRANCH_SHOWN}>Branch</Head>
        <Head className={ACTIVITY_SHOWN}>Activity</Head>
        {numberColumns(sort).map(({ key, label, from }) => (
          <Head key={key} sort={isSort(key) ? key : undefined} right className={shownClass(from)}>
            {label}
          </Head>
        ))}
        <Head sort={sort === "started" ? "started" : "active"} right>
          {sort === "started" ? LIBRARY_COLUMNS.started.label : LIBRARY_COLUMNS.active.head}
        </Head>
      </div>
    </div>
  );
}

function Head({
  sort,
  right,
  className,
  children,
}: {
  sort?: SessionSort;
  right?: boolean;
  className?: string;
  children: string;
}) {
  const [filters, setFilters] = useLibraryFilters();
  const on = sort !== undefined && filters.sort === sort;
  const order = sort && LIBRARY_COLUMNS[sort].order;
  return (
    <span
      role="columnheader"
      aria-sort={on ? order : undefined}
      className={clsx("flex", right && "justify-end", className)}
    >
      {sort ? (
        <button
          type="button"
          className={clsx("inline-flex items-center gap-0.5 hover:text-fg", on && "font-semibold text-fg")}
          onClick={() => setFilters({ sort: on ? "active" : sort })}
        >
          {/* Before a number's head, so that the head stays above its numbers. */}
          {on && right && <Icon of={order === "ascending" ? ArrowUp : ArrowDown} small />}
          {children}
          {on && !right && <Icon of={order === "ascending" ? ArrowUp : ArrowDown} small />}
        </button>
      ) : (
        children
      )}
    </span>
  );
}
