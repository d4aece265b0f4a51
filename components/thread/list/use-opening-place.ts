import { type RefObject, useEffectEvent, useLayoutEffect } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { type HeldRow, holdRow } from "./use-held-row";
import type { RowList } from "./use-row-list";

/** Rows have been drawn and measured after so many frames. */
const SETTLING_FRAMES = 3;

/** Brings the row that a thread opens at to its place, and keeps it there while rows above it are measured. */
export function useOpeningPlace(
  virtualizer: RowList,
  held: RefObject<HeldRow | null>,
  start: OpenThread["start"],
  rowPx: number,
): void {
  const begin = useEffectEvent(() => {
    if (start.atEnd) return virtualizer.scrollToEnd();
    if (start.index === 0 && !start.selected && start.offsetPx === null) return;
    const center = start.selected && start.offsetPx === null;
    if (center) virtualizer.scrollToIndex(start.index, { align: "center" });
    // Nothing has been measured yet: every row above has the guessed height.
    else virtualizer.scrollToOffset(Math.max(0, start.index * rowPx - (start.offsetPx ?? 0)));
  });
  /** Puts the row that is held where it was, now that those above it have been measured. */
  const settle = useEffectEvent(() => {
    const from = virtualizer.measurementsCache[start.index]?.start;
    if (start.offsetPx === null || from === undefined || start.atEnd) return;
    const topPx = Math.max(0, from - start.offsetPx);
    virtualizer.scrollToOffset(topPx);
    // What rows above show may still come. A follower's end stays where it is by itself.
    const isFollowed = virtualizer.options.anchorTo === "end" && virtualizer.isAtEnd();
    if (!isFollowed) holdRow(virtualizer, held, { index: start.index, topPx });
  });
  // Once: after a change of thread this is another instance of the component.
  useLayoutEffect(() => {
    begin();
    let left = SETTLING_FRAMES;
    let frame = requestAnimationFrame(function again() {
      settle();
      if (--left > 0) frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
}
