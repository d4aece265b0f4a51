import type { Range } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { UnseenTime } from "@/components/live/live-seen";
import type { OpenThread } from "@/components/thread/open-thread";
import { AHEAD_ROWS } from "@/components/thread/store/thread-core";
import { useThreadWindows } from "@/components/thread/thread-windows";
import { usePosition, useThreadState, useThreadStore } from "@/components/thread/use-thread";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { Icon } from "@/components/ui/icon";
import { rangeWith } from "@/components/ui/kept-row";
import { formatCount } from "@/lib/format/format";
import type { Row } from "@/lib/wire/rows";
import { useRowFocus } from "./row-focus";
import { useAnchoredList } from "./scroll-anchor";
import { parallelPart, ThreadItem } from "./thread-item";
import { TopHeader, type TurnHeaders, useTurnHeaders } from "./turn-headers";
import { isClosedLine, rowsInFlow, useRowHeights, type VirtualRowList } from "./use-row-list";
import { useScrollingKeys } from "./use-scrolling-keys";
import { useTakenBack } from "./use-taken-back";
import { useThreadList } from "./use-thread-list";

/** The list of rows. Only what is near the screen is in the page or in memory. */
export function ThreadView({
  thread,
  follows,
  unseen,
  label,
}: {
  thread: OpenThread;
  /** Rows are being written: a reader at the end stays there. */
  follows: boolean;
  /** Rows of this time are new to the reader; `null` marks none. */
  unseen: UnseenTime | null;
  /** What a thread beside the page's own is called. */
  label?: string;
}) {
  const store = useThreadStore();
  const selected = useThreadState(store, (state) => state.position.selected);
  const { windows } = thread;
  const headers = useTurnHeaders(thread, useThreadWindows(windows));
  const scroller = useRef<HTMLElement>(null);
  /** The thread of which the store was told. */
  const drawn = useRef(thread);
  // Rows of the whole thread, in the place of its beginning, are not new ones.
  const list = useVirtualRows(thread, scroller, { follows, followsAppended: drawn.current === thread });
  const seen = useVisibleRows(list, windows);
  const { topIndex, lastIndex } = seen;
  useDrawnReport(thread, drawn, list, seen);
  const focus = useRowFocus(scroller, thread, selected);
  useTakenBack(scroller);
  useScrollingKeys(scroller, list);
  useThreadList(store.list, { windows, list, scroller, focus, topIndex, lastIndex });
  const Box = label === undefined ? "main" : "section";

  return (
    // Placed and contained: what changes in the list is laid out without the page around it.
    <div className="relative h-full min-w-0">
      <Box
        ref={scroller}
        tabIndex={0}
        aria-label={label ?? "Thread"}
        className="@container/thread absolute inset-0 overflow-x-hidden contain-strict print:static print:contain-none overflow-y-auto [--ground:var(--bg)] [--hover:var(--raised)] [overflow-anchor:none]"
      >
        <TopHeader
          choice={thread.choice}
          turn={seen.topTurn}
          headers={headers}
          isAtItsPlace={seen.beginsWithTurn}
        />
        <ThreadRows windows={windows} list={list} topIndex={topIndex} headers={headers} unseen={unseen} />
      </Box>
    </div>
  );
}

/**
 * The virtual list of a thread's rows, which stays with what is read when rows come or change their height.
 * @param follows rows are being written; `followsAppended`: those that were added since the last drawing are of them
 */
function useVirtualRows(
  thread: OpenThread,
  scroller: RefObject<HTMLElement | null>,
  { follows, followsAppended }: { follows: boolean; followsAppended: boolean },
): VirtualRowList {
  const store = useThreadStore();
  const open = useThreadState(store, (state) => state.open);
  const selected = useThreadState(store, (state) => state.position.selected);
  const { rowPx, turnPx } = useRowHeights();
  return useAnchoredList(
    thread,
    { open, selected, follows },
    {
      count: useThreadWindows(thread.windows).total,
      getScrollElement: () => scroller.current,
      // One height for all that has not been measured: a guess that changed when a row arrives would
      // move what is below it without the list noticing.
      estimateSize: () => rowPx,
      overscan: 8,
      scrollPaddingStart: turnPx,
      scrollPaddingEnd: rowPx * 2,
      paddingEnd: rowPx * 3,
      followOnAppend: followsAppended,
      scrollEndThreshold: rowPx * 3,
      rangeExtractor: useRangeWith(selected),
    },
    store.rested,
  );
}

/** What is seen of a list: its lower edge in pixels, the rows at both edges, and the turn at the upper one. */
type VisibleRows = {
  bottomPx: number;
  topIndex: number;
  lastIndex: number;
  topTurn: number;
  /** A prompt that begins right at the top has its own header there. */
  beginsWithTurn: boolean;
};

/** The rows that are seen. Asks for them, and some on either side. */
function useVisibleRows(list: VirtualRowList, windows: OpenThread["windows"]): VisibleRows {
  const store = useThreadStore();
  const topPx = list.scrollOffset ?? 0;
  const topIndex = list.getVirtualItemForOffset(topPx + 1)?.index ?? 0;
  const bottomPx = topPx + (list.scrollRect?.height ?? 0);
  const lastIndex = list.getVirtualItemForOffset(bottomPx)?.index ?? topIndex;

  useEffect(() => {
    windows.want(topIndex - AHEAD_ROWS, lastIndex + AHEAD_ROWS);
  }, [windows, topIndex, lastIndex]);
  const topRow = windows.itemAt(topIndex);
  const topStartPx = list.measurementsCache[topIndex]?.start ?? 0;
  return {
    bottomPx,
    topIndex,
    lastIndex,
    topTurn: topRow?.turn ?? store.get().position.turn,
    beginsWithTurn: topRow?.kind === "turn" && topStartPx >= topPx,
  };
}

/** The rows that are in the page, those around the screen in its flow. `topIndex`: of the row at its top. */
function ThreadRows({
  windows,
  list,
  topIndex,
  headers,
  unseen,
}: {
  windows: OpenThread["windows"];
  list: VirtualRowList;
  topIndex: number;
  headers: TurnHeaders;
  unseen: UnseenTime | null;
}) {
  const store = useThreadStore();
  const open = useThreadState(store, (state) => state.open);
  const { rowPx } = useRowHeights();
  const { total } = useThreadWindows(windows);
  const items = list.getVirtualItems();
  const flow = rowsInFlow(items, topIndex);
  return (
    <div
      role="feed"
      aria-label="Rows"
      className="relative min-h-full"
      // No height of its own: it grows with a row that turns out higher, without being drawn again.
      style={{ paddingTop: flow.start, paddingBottom: list.getTotalSize() - flow.end }}
    >
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-[calc(52px*var(--u)+20px)] w-[104px] border-x border-line @max-[720px]/thread:hidden max-sm:hidden"
      />
      {items.map(({ key, index, start, size }) => {
        const row = windows.itemAt(index);
        const before = windows.itemAt(index - 1);
        // What changes with a scroll is given to the rows alone that it changes.
        return (
          <ThreadItem
            key={key}
            index={index}
            total={total}
            apartPx={index < flow.first || index > flow.last ? start : null}
            placeholderPx={row ? null : size}
            wasClosed={row !== undefined && size !== rowPx && isClosedLine(row, open.has(row.key))}
            coversHeader={row?.kind === "turn" && index > topIndex}
            row={row}
            turnMs={headers.of(row?.turn ?? 0)?.durationMs ?? null}
            parallel={parallelPart(before, row, windows.itemAt(index + 1))}
            isFirstNew={isFirstNew(before, row, unseen)}
            measure={list.measureElement}
          />
        );
      })}
    </div>
  );
}

/** What is drawn: as usual, and the selected row wherever it is, so that it never loses the focus. */
function useRangeWith(selected: number | null): (range: Range) => number[] {
  return useCallback((range) => rangeWith(range, selected ?? -1), [selected]);
}

/**
 * Tells the store what is drawn, and how many rows have come since the reader was at the end.
 * @param drawnRef the thread of which the store has been told
 */
function useDrawnReport(
  thread: OpenThread,
  drawnRef: RefObject<OpenThread>,
  list: VirtualRowList,
  { bottomPx, topIndex: first, lastIndex: last, topTurn: turn }: VisibleRows,
): void {
  const store = useThreadStore();
  const selected = useThreadState(store, (state) => state.position.selected);
  const { count: total, estimateSize } = list.options;
  // `isAtEnd` would ask the page for its layout in the middle of a frame.
  const atEnd = bottomPx >= list.getTotalSize() - estimateSize(0) * 3;
  const seenRows = useRef(thread.seenRows ?? total);
  useEffect(() => {
    // A list that has become shorter is another one.
    if (atEnd || total < seenRows.current) seenRows.current = total;
    else if (drawnRef.current !== thread) seenRows.current = thread.seenRows ?? total;
    drawnRef.current = thread;
    const fresh = total - seenRows.current;
    store.onDrawn({ first, last, total, turn, selected, atEnd, fresh });
  }, [store, thread, drawnRef, first, last, total, turn, selected, atEnd]);
}

/** True for the first row that was written while the reader did not look. */
function isFirstNew(before: Row | undefined, row: Row | undefined, unseen: UnseenTime | null): boolean {
  if (unseen === null || !row || row.atMs === null) return false;
  const { afterMs, untilMs } = unseen;
  if (row.atMs <= afterMs || row.atMs > untilMs) return false;
  return before !== undefined && before.atMs !== null && before.atMs <= afterMs;
}

/** How many rows have come below what is being read, and the way to them. Stands outside the thread. */
export function NewRowsPill() {
  const store = useThreadStore();
  const fresh = usePosition((at) => at.fresh);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-5 flex justify-center">
      {fresh > 0 && (
        <button
          ref={bottomBar}
          type="button"
          onClick={() => store.list.current?.toEnd()}
          title="Go to the end and follow (G)"
          className="pointer-events-auto inline-flex h-control items-center gap-1 rounded-2 border border-accent bg-panel px-2 text-12 text-accent tabular-nums hover:bg-raised"
        >
          <Icon of={ArrowDown} small />
          {formatCount(fresh)} new
        </button>
      )}
    </div>
  );
}
