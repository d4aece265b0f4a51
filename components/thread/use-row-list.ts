import { useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { useReducer, useRef } from "react";

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
export function useRowList(options: Options): RowList {
  const drawAgain = useReducer((times: number) => times + 1, 0)[1];
  const drawn = useRef<readonly VirtualItem[]>([]);
  const list = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    // Without a container it writes nothing to the page, and no longer draws with each measurement.
    directDomUpdates: true,
    onChange: (list) => {
      if (!list.isScrolling || leavesGap(list, drawn.current)) drawAgain();
    },
  });
  drawn.current = list.getVirtualItems();
  return list;
}

/** A row that became shorter may bring others into view. */
function leavesGap(list: RowList, drawn: readonly VirtualItem[]): boolean {
  const range = list.calculateRange();
  if (!range) return false;
  return [range.startIndex, range.endIndex].some((index) => !drawn.some((item) => item.index === index));
}
