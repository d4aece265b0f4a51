import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { rangeWith } from "@/components/ui/kept-row";
import { listPlace } from "@/components/ui/list-place";
import { measuresOf, usePreferences } from "@/lib/client/preferences";
import type { LibraryItem } from "./group-sessions";
import { hasSecondLine } from "./session-row";
import { useSteadyRows } from "./steady-rows";

/**
 * Which of the rows are drawn, and where.
 * @param kept the index of a row that stays in the page wherever the list is scrolled; -1 for none
 */
export function useSessionVirtualizer(
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
    rangeExtractor: (range) => rangeWith(range, kept),
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
  return Math.round((hasSecondLine(item.session) ? 48 : 30) * unit) + roomyPx;
}
