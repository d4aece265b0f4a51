import { useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useReducer, useRef, useState } from "react";
import { usePreferences } from "@/lib/client/preferences";
import { measuresOf, useNarrow } from "@/lib/client/use-debounced";
import { type Row, rowKindFacts } from "@/lib/wire/rows";
import { type HeldRow, holdRow, releaseScrolled } from "./scroll-anchor";

/** What of a long list is drawn, and where. */
export type RowList = Virtualizer<HTMLElement, HTMLElement>;
type Options = Omit<
  Parameters<typeof useVirtualizer<HTMLElement, HTMLElement>>[0],
  "onChange" | "directDomUpdates"
>;

/**
 * The rows to draw, as `useVirtualizer` has them, drawn again when others come into view. A row that is measured
 * while the list is scrolled is no reason: it stands in the page's flow, so that those below it have moved already.
 */
export function useRowList(held: RefObject<HeldRow | null>, options: Options): RowList {
  const drawAgain = useReducer((times: number) => times + 1, 0)[1];
  const drawn = useRef<readonly VirtualItem[]>([]);
  const list = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    // Without a container it writes nothing to the page, and no longer draws with each measurement.
    directDomUpdates: true,
    onChange: (list) => {
      releaseScrolled(list, held);
      if (!list.isScrolling || leavesGap(list, drawn.current)) drawAgain();
    },
  });
  if (held.current) holdRow(list, held, held.current);
  drawn.current = list.getVirtualItems();

  // Lines are not measured: when they grow, the list has to be told.
  const guessPx = options.estimateSize(0);
  const guessed = useRef(guessPx);
  useLayoutEffect(() => {
    if (guessed.current !== guessPx) list.measure();
    guessed.current = guessPx;
  }, [guessPx, list]);
  return list;
}

/** A row that became shorter may bring others into view. */
function leavesGap(list: RowList, drawn: readonly VirtualItem[]): boolean {
  const range = list.calculateRange();
  if (!range) return false;
  return [range.startIndex, range.endIndex].some((index) => !drawn.some((item) => item.index === index));
}

type Placed = { index: number; start: number; end: number };

/**
 * The items that follow each other around `index`, where the first of them begins and the last ends. They stand in
 * the page's flow; a selected row that is kept further away is placed by itself.
 */
export function rowsInFlow(
  items: readonly Placed[],
  index: number,
): { first: number; last: number; start: number; end: number } {
  const at = Math.max(
    0,
    items.findIndex((item) => item.index >= index),
  );
  let from = at;
  let to = at;
  while (from > 0 && items[from - 1]?.index === (items[from]?.index ?? 0) - 1) from--;
  while (to + 1 < items.length && items[to + 1]?.index === (items[to]?.index ?? 0) + 1) to++;
  return {
    first: items[from]?.index ?? 0,
    last: items[to]?.index ?? -1,
    start: items[from]?.start ?? 0,
    end: items[to]?.end ?? 0,
  };
}

/** A line that is closed is as high as the list guesses, exactly: measuring each would cost more than drawing it. */
export function isClosedLine(row: Row, open: ReadonlySet<string>): boolean {
  return rowKindFacts(row.kind).isOneLine && !open.has(row.key);
}

/**
 * A row's height to the fraction: rows stand in a flow, where what is rounded would add up. One that was
 * measured before is first taken as it was, so that the page need not be laid out for it.
 */
export function measureRow(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  list: RowList,
): number {
  const observed = entry?.borderBoxSize[0]?.blockSize;
  if (observed !== undefined) return observed;
  const index = list.indexFromElement(element);
  const key = list.options.getItemKey(index);
  if ("closed" in element.dataset) {
    // It was closed while it was not in the page. As the first measurement it keeps what is read in place.
    list.itemSizeCache.delete(key);
    return list.options.estimateSize(index);
  }
  return list.itemSizeCache.get(key) ?? element.getBoundingClientRect().height;
}

/** What rows and turn headers are high before they have been measured, as globals.css has it. */
export function useRowHeights(): { rowPx: number; turnPx: number } {
  const narrow = useNarrow();
  const { unit, roomyPx } = measuresOf(usePreferences());
  return {
    rowPx: Math.round((narrow ? 32 : 24) * unit) + roomyPx,
    turnPx: Math.round((narrow ? 40 : 32) * unit) + roomyPx,
  };
}

/** A run that takes in more rows at once is no run that grows. */
const MOST_ROWS = 12;

/**
 * Empty space below the last row, in pixels: as much as the list has lost to a run of calls that grew. For
 * a reader at the end of a session that is written what is read stays in place; the next rows take the space.
 */
export function useTailPadding(total: number, rowPx: number, follows: boolean): number {
  const [tail, setTail] = useState({ total, rows: 0 });
  if (tail.total !== total) {
    const lost = tail.total - total;
    const rows = lost > MOST_ROWS ? 0 : Math.min(MOST_ROWS, Math.max(0, tail.rows + lost));
    setTail({ total, rows });
  }
  return follows ? tail.rows * rowPx : 0;
}
