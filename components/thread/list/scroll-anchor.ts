import { useEffectEvent, useInsertionEffect, useLayoutEffect, useState } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { indexOfKey } from "@/components/thread/store/loaded-rows";
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
/** What an opened row shows has been loaded long before, also by a busy machine. */
const MAX_SETTLING_MS = 15_000;
/** Over and below the list, and the first line of a row: one that stood at the foot of a taller window is brought into view. */
const AROUND_PX = 120;
/** A list that loses more rows at once lost them to no run that grew. */
const MAX_ROWS_LOST = 12;

/** What a reader does to move the list. */
const TOUCHES = ["wheel", "touchmove", "pointerdown", "keydown"];

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
  onRested?: () => void,
): RowList {
  const { count, paddingEnd } = options;
  const rowPx = options.estimateSize(0);
  const [opening] = useState<HeldRow | null>(() =>
    start.offsetPx === null || start.atEnd
      ? null
      : {
          index: start.index,
          offsetPx: Math.min(start.offsetPx, window.innerHeight - AROUND_PX),
          count,
        },
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
  const onRest = useEffectEvent(() => onRested?.());
  /** As long as the rows below were not measured, the list may have been too short to be scrolled to the place. */
  const settle = useEffectEvent((row: HeldRow) => {
    if (isScrolledAway(list, row)) list.scrollToOffset(topWhileHeld(list, row));
    // A follower's end stays where it is by itself.
    hold(list, follows && list.isAtEnd() ? null : row);
  });
  const isTooShort = useEffectEvent(() => opening !== null && isStillShort(list, opening));
  const sizeOf = useEffectEvent((row: HeldRow) => list.measurementsCache[row.index]?.size ?? 0);
  const isLeft = useEffectEvent((row: HeldRow) => isScrolledAway(list, row));
  // Once: after a change of thread this is another instance of the component.
  useLayoutEffect(() => {
    begin();
    let frames = 0;
    const begunMs = performance.now();
    let isTouched = false;
    let sizePx = 0;
    const touch = () => {
      isTouched = true;
    };
    for (const type of TOUCHES) window.addEventListener(type, touch, { capture: true, passive: true });
    let frame = requestAnimationFrame(function again() {
      frames += 1;
      const isShort = isTooShort();
      // Scrolled by something else than the row's growth, when the list has settled.
      if (opening && frames > SETTLING_FRAMES && sizeOf(opening) === sizePx && isLeft(opening))
        isTouched = true;
      if (opening && !(isTouched && frames > SETTLING_FRAMES)) settle(opening);
      sizePx = opening ? sizeOf(opening) : 0;
      if (frames === SETTLING_FRAMES) onRest();
      if (
        frames < SETTLING_FRAMES ||
        (isShort && !isTouched && performance.now() - begunMs < MAX_SETTLING_MS)
      )
        frame = requestAnimationFrame(again);
      else if (frames > SETTLING_FRAMES) onRest();
    });
    return () => {
      cancelAnimationFrame(frame);
      for (const type of TOUCHES) window.removeEventListener(type, touch, { capture: true });
    };
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
  const { start = 0, size = 0 } = list.measurementsCache[index] ?? {};
  // Where the row is lower than it was, as one that is closed, its end at least is in view.
  const leastPx = Math.min(0, leastInView(list) - size);
  return Math.max(0, start - Math.max(offsetPx, leastPx));
}

/** So much of a row is seen below the header that stands over the list. */
function leastInView(list: RowList): number {
  return list.options.scrollPaddingStart + list.options.estimateSize(0);
}

/** The place is further down in its row than that is high so far: what it shows is being loaded. */
function isStillShort(list: RowList, { index, offsetPx }: HeldRow): boolean {
  const size = list.measurementsCache[index]?.size ?? 0;
  return offsetPx < Math.min(0, leastInView(list) - size);
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
