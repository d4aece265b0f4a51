import { useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useReducer, useRef } from "react";
import { measuresOf, usePreferences } from "@/lib/client/preferences";
import { useNarrow } from "@/lib/client/use-media";
import { type Row, rowKindFacts } from "@/lib/wire/rows";

/** What of a long list is drawn, and where. */
export type VirtualRowList = Virtualizer<HTMLElement, HTMLElement>;
export type RowListOptions = Omit<
  Parameters<typeof useVirtualizer<HTMLElement, HTMLElement>>[0],
  "directDomUpdates"
>;

/**
 * The rows to draw, as `useVirtualizer` has them, drawn again when others come into view. A row that is measured
 * while the list is scrolled is no reason: it stands in the page's flow, so that those below it have moved already.
 */
export function useRowList(options: RowListOptions): VirtualRowList {
  const drawAgain = useReducer((times: number) => times + 1, 0)[1];
  const drawn = useRef<readonly VirtualItem[]>([]);
  const list = useVirtualizer<HTMLElement, HTMLElement>({
    measureElement: measureRow,
    ...options,
    // Without a container it writes nothing to the page, and no longer draws with each measurement.
    directDomUpdates: true,
    onChange: (list, sync) => {
      toTopWhereAllFits(list);
      options.onChange?.(list, sync);
      if (!list.isScrolling || leavesGap(list, drawn.current)) drawAgain();
    },
  });
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

/**
 * How far below the list's upper edge a row begins, in pixels, as it is in the page: rows that were just opened
 * scroll the list before it is drawn again, and a jump does before the list hears of it. `null` for no row of the list.
 */
export function offsetOf(list: VirtualRowList, index: number): number | null {
  // The range is made from heights as they are now, which the library otherwise puts off to the next drawing.
  list.calculateRange();
  const from = list.measurementsCache[index]?.start;
  return from === undefined ? null : from - (list.scrollElement?.scrollTop ?? 0);
}

/**
 * A list that follows its end counts itself as scrolled by what is added, and is set right by the page's report. One
 * that has room for all of its rows cannot be scrolled, and the page never reports.
 */
function toTopWhereAllFits(list: VirtualRowList): void {
  const fits = list.getTotalSize() <= (list.scrollRect?.height ?? 0);
  if (fits && (list.scrollOffset ?? 0) > 0) list.scrollOffset = 0;
}

/** A row that became shorter may bring others into view. */
function leavesGap(list: VirtualRowList, drawn: readonly VirtualItem[]): boolean {
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
export function isClosedLine(row: Row, isOpen: boolean): boolean {
  return rowKindFacts(row.kind).isOneLine && !isOpen;
}

/**
 * A row's height to the fraction: rows stand in a flow, where what is rounded would add up. One that was
 * measured before is first taken as it was, so that the page need not be laid out for it.
 */
function measureRow(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  list: VirtualRowList,
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
