import { useVirtualizer, type VirtualItem, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useReducer, useRef } from "react";
import { type HeldRow, holdRow, releaseScrolled } from "./use-held-row";

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
