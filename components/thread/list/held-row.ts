import { offsetOf, type VirtualRowList } from "./use-row-list";

/** A row that stays `offsetPx` below the list's upper edge while rows above it change their height. */
export type HeldRow = {
  index: number;
  offsetPx: number;
  /** How many rows the list has: when one is appended, a follower sees it first, and the row is held on after that. */
  count: number;
};

/** A scroll position comes back rounded; a reader's scroll is further. */
const MAX_ROUNDING_PX = 1.5;

/**
 * A row above the held one that changes its height scrolls the list by as much, no other does. Where none is held it is
 * the library's rule, but that a row of several lines of which the header leaves only the end in view is above what is
 * read as well: by itself a list that becomes narrower moves by what such a row grows. A line that is opened half above
 * the view is none.
 */
export function adjustAbove(list: VirtualRowList, held: HeldRow | null): void {
  list.shouldAdjustScrollPositionOnItemSizeChange = ({ index, key, start, end }) => {
    if (held) return index < held.index;
    const top = list.scrollOffset ?? 0;
    if (!list.itemSizeCache.has(key)) return start < top;
    const isPast = end <= top || (end - start > leastInView(list) && end - top <= endInView(list));
    return isPast && list.scrollDirection !== "backward";
  };
}

/** So much of the list's top is covered by the header, and a row's last half line below that. */
function endInView(list: VirtualRowList): number {
  return list.options.scrollPaddingStart + list.options.estimateSize(0) / 2;
}

/** The row where it is in the page; `null` for none. */
export function rowInPlace(list: VirtualRowList, index: number | null): HeldRow | null {
  const offsetPx = index === null ? null : offsetOf(list, index);
  return index === null || offsetPx === null ? null : { index, offsetPx, count: list.options.count };
}

/** How far the list is scrolled while the row is held. */
export function topWhileHeld(list: VirtualRowList, { index, offsetPx }: HeldRow): number {
  list.calculateRange();
  const { start = 0, size = 0 } = list.measurementsCache[index] ?? {};
  // Where the row is lower than it was, as one that is closed, its end at least is in view.
  const leastPx = Math.min(0, leastInView(list) - size);
  return Math.max(0, start - Math.max(offsetPx, leastPx));
}

/** So much of a row is seen below the header that stands over the list. */
function leastInView(list: VirtualRowList): number {
  return list.options.scrollPaddingStart + list.options.estimateSize(0);
}

/** The place is further down in its row than that is high so far: what it shows is being loaded. */
export function isStillShort(list: VirtualRowList, { index, offsetPx }: HeldRow): boolean {
  const size = list.measurementsCache[index]?.size ?? 0;
  return offsetPx < Math.min(0, leastInView(list) - size);
}

/** The place is further down than the list can be scrolled so far: what a row below it shows is being loaded. */
export function isBeyondEnd(list: VirtualRowList, held: HeldRow): boolean {
  return topWhileHeld(list, held) > lastTop(list) + MAX_ROUNDING_PX;
}

/** How far the list can be scrolled. */
function lastTop(list: VirtualRowList): number {
  return Math.max(0, list.getTotalSize() - (list.scrollRect?.height ?? 0));
}

/** True where the list is scrolled to another position than it has while the row is held, as far as it goes that far. */
export function isScrolledAway(list: VirtualRowList, held: HeldRow): boolean {
  return isAwayFrom(list, Math.min(topWhileHeld(list, held), lastTop(list)));
}

/**
 * True where the row need not be held any more: the reader has scrolled. A row that is opened half above the view is first
 * as high as the words that it is being loaded, of which no more than their end is in view.
 */
export function isReleased(list: VirtualRowList, held: HeldRow): boolean {
  if (!isScrolledAway(list, held)) return false;
  const { start = 0, size = 0 } = list.measurementsCache[held.index] ?? {};
  return held.offsetPx + size <= 0 || isAwayFrom(list, start - held.offsetPx);
}

function isAwayFrom(list: VirtualRowList, topPx: number): boolean {
  const isAway = (offset: number | null = 0) => Math.abs((offset ?? 0) - topPx) > MAX_ROUNDING_PX;
  // The list hears of its own scroll later than the page; the page makes a correction only when it has grown.
  return isAway(list.scrollOffset) && isAway(list.scrollElement?.scrollTop);
}
