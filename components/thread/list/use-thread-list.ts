import { type RefObject, useImperativeHandle } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import type { ThreadList } from "@/components/thread/store/thread-core";
import { offsetOf, type VirtualRowList } from "./use-row-list";

type Drawn = {
  windows: OpenThread["windows"];
  list: VirtualRowList;
  scroller: RefObject<HTMLElement | null>;
  /** The selected row takes the focus when it is in the page. */
  focus: () => void;
  topIndex: number;
  lastIndex: number;
};

/** Gives the list, as it was drawn last, into the hands of the thread's store. */
export function useThreadList(
  ref: RefObject<ThreadList | null>,
  { windows, list, scroller, focus, topIndex, lastIndex }: Drawn,
): void {
  const { scrollPaddingStart, scrollPaddingEnd } = list.options;
  const roomPx = (list.scrollRect?.height ?? 0) - scrollPaddingStart - scrollPaddingEnd;
  /** Whether the whole row has room in the view. */
  const fits = (row: number) => (list.measurementsCache[row]?.size ?? 0) <= roomPx;
  /** Whether the row's first line is in view. */
  const begins = (row: number) => {
    const below = (offsetOf(list, row) ?? 0) - scrollPaddingStart;
    return below >= 0 && below <= roomPx;
  };
  useImperativeHandle(ref, () => ({
    scrollTo: (row, align) => {
      const from = list.measurementsCache[row]?.start;
      // A prompt comes to the very top, where its own header stands; other rows below the header.
      const isTurn = windows.itemAt(row)?.kind === "turn";
      if (isTurn && align === "start" && from !== undefined) list.scrollToOffset(from);
      else if (align !== "auto" || fits(row)) list.scrollToIndex(row, { align });
      // Its end would be brought into view, and its line be above it.
      else if (!begins(row)) list.scrollToIndex(row, { align: "start" });
    },
    focus,
    scrollToShare: (share) => {
      const row = Math.floor(Math.max(0, Math.min(1, share)) * (list.options.count - 1));
      list.scrollToIndex(row, { align: "center" });
    },
    toEnd: () => list.scrollToEnd(),
    // By the library, which else aims again at the row that it was to scroll to last.
    scrollBy: (px) => list.scrollToOffset((list.scrollElement?.scrollTop ?? 0) + px),
    reveal: (row) => {
      if (!begins(row)) list.scrollToIndex(row, { align: "start" });
    },
    roomPx: () => list.scrollElement?.clientHeight ?? 0,
    scrolled: () => list.scrollElement?.scrollTop ?? 0,
    offsetOf: (index) => offsetOf(list, index),
    heightOf: (index) => list.measurementsCache[index]?.size ?? null,
    inView: () => ({ first: topIndex, last: lastIndex }),
    hasFocus: () => scroller.current?.contains(document.activeElement) === true,
    box: () => scroller.current,
  }));
}
