import { useInsertionEffect, useLayoutEffect, useRef, useState } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { indexOfKey } from "@/components/thread/store/loaded-rows";
import { adjustAbove, type HeldRow, isReleased, rowInPlace } from "./held-row";
import { type RowListOptions, useRowList, type VirtualRowList } from "./use-row-list";
import { useSettling } from "./use-settling";

/*
 * The list scrolls by the library: it keeps what is at its top in place while rows above are measured, follows an end,
 * and aims again at the target of a jump until it has landed. What is added to that is here, and why: the
 * library knows only the two edges of the list, but a reader may look at a row between them, the one that was clicked
 * or the one at which the thread was left. That row is held until the reader scrolls.
 */

/** Over and below the list, and the first line of a row: one that stood at the foot of a taller window is brought into view. */
const AROUND_PX = 120;
/** Where a row begins that is asked for without a place, as a share of the window: in the list's middle, or just above. */
const MIDDLE = 0.4;
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
  { open, selected, follows: isWritten }: Reading,
  options: RowListOptions & { paddingEnd: number },
  onRested?: () => void,
): VirtualRowList {
  const { count, paddingEnd, followOnAppend } = options;
  const before = useRef(count);
  useLayoutEffect(() => {
    before.current = count;
  }, [count]);
  // The rows of a session that had ended come before it is told that it goes on.
  const follows = isWritten || (followOnAppend === true && count > before.current);
  const rowPx = options.estimateSize(0);
  const [opening] = useState<HeldRow | null>(() => {
    const offsetPx = openingPx(start);
    return offsetPx === null ? null : { index: start.index, offsetPx, count };
  });
  const [held, setHeld] = useState(opening);
  const hold = (list: VirtualRowList, row: HeldRow | null) => {
    adjustAbove(list, row);
    setHeld(row);
  };
  const list = useRowList({
    ...options,
    paddingEnd: paddingEnd + useTailPadding(count, rowPx, follows),
    initialOffset: () => {
      const topPx = (start.atEnd ? count : start.index) * rowPx - (opening?.offsetPx ?? 0);
      // Not further than the list can be scrolled: the page would never report such a position back.
      return Math.max(0, Math.min(topPx, count * rowPx + paddingEnd - window.innerHeight));
    },
    // The library would keep the end in place where it is in view, and so move a row that is opened there.
    anchorTo: follows && held?.count !== count ? "end" : "start",
    onChange: (list) => held && isReleased(list, held) && hold(list, null),
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

  // Where rows are open the end is in view until what they show has been loaded: nobody follows that.
  const settles = { opening, start, follows: follows && open.size === 0, onRested };
  useSettling(list, { ...settles, hold: (row) => hold(list, row) });
  return list;
}

/**
 * How far below the list's upper edge the row begins with which the list opens; `null` for the first and the last. It is
 * held there from the first drawing on: a list that is scrolled to a row's middle jumps as those above it are measured.
 */
function openingPx({ atEnd, offsetPx, selected }: OpenThread["start"]): number | null {
  const { innerHeight } = window;
  if (atEnd) return null;
  if (offsetPx !== null) return Math.min(offsetPx, innerHeight - AROUND_PX);
  return selected ? Math.round(innerHeight * MIDDLE) : null;
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
