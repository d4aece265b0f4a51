import { useEffectEvent, useInsertionEffect, useLayoutEffect, useState } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { indexOfKey } from "./scroll-restoration";
import { offsetOf, type RowList, type RowListOptions, useRowList } from "./use-row-list";

/*
 * The list scrolls by the library: it keeps what is at its top in place while rows above are measured, follows an end,
 * and aims again at the target of a jump until it has landed. What is added to that is in this file, and why: the
 * library knows only the two edges of the list, but a reader may look at a row between them, the one that was clicked
 * or the one at which the thread was left. That row is held until the reader scrolls.
 */

/** A row that stays `offsetPx` below the list's upper edge while rows above it change their height. */
type HeldRow = {
  index: number;
  offsetPx: number;
  /** How many rows the list has: when one is appended, a follower sees it first, and the row is held on after that. */
  count: number;
};

/** A scroll position comes back rounded; a reader's scroll is further. */
const MAX_ROUNDING_PX = 1.5;
/** Rows have been drawn and measured after so many frames. */
const SETTLING_FRAMES = 3;
/** A list that loses more rows at once lost them to no run that grew. */
const MAX_ROWS_LOST = 12;

type Reading = {
  /** Keys of the rows that are open. */
  open: ReadonlySet<string>;
  selected: number | null;
  /** Rows are being written: a reader at the end stays there. */
  follows: boolean;
};

/** The rows to draw, as `useRowList` has them: the list opens at `start` and keeps in place what is read. */
export function useAnchoredList(
  { windows, start }: Pick<OpenThread, "windows" | "start">,
  { open, selected, follows }: Reading,
  options: RowListOptions & { paddingEnd: number },
): RowList {
  const { count, paddingEnd } = options;
  const rowPx = options.estimateSize(0);
  const [opening] = useState<HeldRow | null>(() =>
    start.offsetPx === null || start.atEnd ? null : { index: start.index, offsetPx: start.offsetPx, count },
  );
  const [held, setHeld] = useState(opening);
  const hold = (list: RowList, row: HeldRow | null) => {
    adjustAbove(list, row);
    setHeld(row);
  };
  const list = useRowList({
    ...options,
    paddingEnd: paddingEnd + useTailPadding(count, rowPx, follows),
    initialOffset: () => {
      const topPx = (start.atEnd ? count : start.index) * rowPx - (start.offsetPx ?? 0);
      // Not further than the list can be scrolled: the page would never report such a position back.
      return Math.max(0, Math.min(topPx, count * rowPx + paddingEnd - window.innerHeight));
    },
    // The library would keep the end in place where it is in view, and so move a row that is opened there.
    anchorTo: follows && held?.count !== count ? "end" : "start",
    onChange: (list) => held && isScrolledAway(list, held) && hold(list, null),
  });

  const [wasOpen, setWasOpen] = useState(open);
  if (wasOpen !== open) {
    setWasOpen(open);
    const [key, ...others] = [...wasOpen, ...open].filter((key) => wasOpen.has(key) !== open.has(key));
    const one = key !== undefined && others.length === 0;
    setHeld(rowInPlace(list, one ? indexOfKey(windows.loaded(), key) : selected));
  }
  // Before any layout effect: rows are measured as they come into the page.
  useInsertionEffect(() => adjustAbove(list, held), [list, held]);
  useLayoutEffect(() => {
    if (held && held.count !== count) setHeld({ ...held, count });
  }, [held, count]);

  const begin = useEffectEvent(() => {
    if (start.atEnd) list.scrollToEnd();
    else if (start.selected && start.offsetPx === null) list.scrollToIndex(start.index, { align: "center" });
  });
  /** As long as the rows below were not measured, the list may have been too short to be scrolled to the place. */
  const settle = useEffectEvent((row: HeldRow) => {
    if (isScrolledAway(list, row)) list.scrollToOffset(topWhileHeld(list, row));
    // A follower's end stays where it is by itself.
    hold(list, follows && list.isAtEnd() ? null : row);
  });
  // Once: after a change of thread this is another instance of the component.
  useLayoutEffect(() => {
    begin();
    if (!opening) return;
    let left = SETTLING_FRAMES;
    let frame = requestAnimationFrame(function again() {
      settle(opening);
      if (--left > 0) frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  }, [opening]);
  return list;
}

/** A row above the held one that changes its height scrolls the list by as much, no other does. */
function adjustAbove(list: RowList, held: HeldRow | null): void {
  list.shouldAdjustScrollPositionOnItemSizeChange = held ? ({ index }) => index < held.index : undefined;
}

/** The row where it is in the page; `null` for none. */
function rowInPlace(list: RowList, index: number | null): HeldRow | null {
  const offsetPx = index === null ? null : offsetOf(list, index);
  return index === null || offsetPx === null ? null : { index, offsetPx, count: list.options.count };
}

/** How far the list is scrolled while the row is held. */
function topWhileHeld(list: RowList, { index, offsetPx }: HeldRow): number {
  list.calculateRange();
  return Math.max(0, (list.measurementsCache[index]?.start ?? 0) - offsetPx);
}

function isScrolledAway(list: RowList, held: HeldRow): boolean {
  const topPx = topWhileHeld(list, held);
  const isAway = (offset: number | null = 0) => Math.abs((offset ?? 0) - topPx) > MAX_ROUNDING_PX;
  // The list hears of its own scroll later than the page; the page makes a correction only when it has grown.
  return isAway(list.scrollOffset) && isAway(list.scrollElement?.scrollTop);
}

/**
 * Empty space below the last row, in pixels: as much as the list has lost to a run of calls that grew. For
 * a reader at the end of a session that is written what is read stays in place; the next rows take the space.
 */
function useTailPadding(count: number, rowPx: number, follows: boolean): number {
  const [tail, setTail] = useState({ count, rows: 0 });
  if (tail.count !== count) {
    const lost = tail.count - count;
    const rows = lost > MAX_ROWS_LOST ? 0 : Math.min(MAX_ROWS_LOST, Math.max(0, tail.rows + lost));
    setTail({ count, rows });
  }
  return follows ? tail.rows * rowPx : 0;
}
