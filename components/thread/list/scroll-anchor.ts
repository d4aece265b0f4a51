import { type RefObject, useRef } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import type { Row } from "@/lib/wire/rows";
import type { RowList } from "./use-row-list";

/** The row whose line stays where it is while rows above it become higher or lower. */
export type HeldRow = {
  index: number;
  /** Where the list is scrolled to. Once it is elsewhere the reader has scrolled on, and nothing is held. */
  topPx: number;
};

/** A scroll position comes back rounded; a reader's scroll is further. */
const ROUNDED_PX = 1.5;

/**
 * Holds a line in place from when rows are opened or closed until the reader scrolls: the row that was opened, of
 * several the selected one. By itself the list keeps what is at its top in place, or its end where it follows
 * one, and so would move the line that was clicked.
 */
export function useHeldRow(
  open: ReadonlySet<string>,
  scroller: RefObject<HTMLElement | null>,
  windows: OpenThread["windows"],
  selected: number | null,
): RefObject<HeldRow | null> {
  const held = useRef<HeldRow | null>(null);
  const before = useRef(open);
  // In the drawing itself: the rows that it draws are measured before any effect.
  if (before.current !== open) {
    const [key, ...others] = changedKeys(before.current, open);
    before.current = open;
    const index = key === undefined || others.length > 0 ? selected : indexOfKey(windows.loaded(), key);
    held.current = index === null ? null : { index, topPx: scroller.current?.scrollTop ?? 0 };
  }
  return held;
}

/** From now on a row above the held one that changes its height scrolls the list by as much, no other does. */
export function holdRow(list: RowList, held: RefObject<HeldRow | null>, row: HeldRow): void {
  held.current = row;
  list.shouldAdjustScrollPositionOnItemSizeChange = ({ index }, delta) => {
    const isAbove = index < row.index;
    if (isAbove) row.topPx += delta;
    return isAbove;
  };
  // What is added at the end has been followed when it came; what a reader opens there is not.
  list.options.anchorTo = "start";
}

/** Lets go of the held row once the list is scrolled to elsewhere. */
export function releaseScrolled(list: RowList, held: RefObject<HeldRow | null>): void {
  if (!held.current || Math.abs((list.scrollOffset ?? 0) - held.current.topPx) <= ROUNDED_PX) return;
  held.current = null;
  list.shouldAdjustScrollPositionOnItemSizeChange = undefined;
}

function changedKeys(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...[...before].filter((key) => !after.has(key)), ...[...after].filter((key) => !before.has(key))];
}

/** The row above a fork's: it is on every branch that leaves there. */
export function forkAnchor(
  loaded: Iterable<[index: number, row: Row]>,
  key: string | null,
): { index: number; row: Row } | null {
  if (key === null) return null;
  let before: { index: number; row: Row } | null = null;
  for (const [index, row] of loaded) {
    if (row.key === key) return before?.index === index - 1 ? before : null;
    before = { index, row };
  }
  return null;
}

/** Where the row of a key stands among those that are loaded. */
export function indexOfKey(loaded: Iterable<[index: number, row: Row]>, key: string): number | null {
  for (const [index, row] of loaded) if (row.key === key) return index;
  return null;
}
