import { useEffectEvent, useLayoutEffect } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { onMovedByHand } from "@/components/ui/by-hand";
import { type HeldRow, isBeyondEnd, isScrolledAway, isStillShort, topWhileHeld } from "./held-row";
import type { VirtualRowList } from "./use-row-list";

/** Rows have been drawn and measured after so many frames. */
const SETTLING_FRAMES = 3;
/** What an opened row shows has been loaded long before, also by a busy machine. */
const MAX_SETTLING_MS = 15_000;

/**
 * Brings a list that has just been opened to its place: its end, or `opening`, which is held until
 * what it shows has been loaded or the reader moves the list. `onRested` is called when rows have been drawn and measured,
 * and again when the place has been reached later than that.
 */
export function useSettling(
  list: VirtualRowList,
  {
    opening,
    start,
    follows,
    hold,
    onRested,
  }: {
    opening: HeldRow | null;
    start: OpenThread["start"];
    follows: boolean;
    hold: (row: HeldRow | null) => void;
    onRested: (() => void) | undefined;
  },
): void {
  const begin = useEffectEvent(() => {
    if (start.atEnd) list.scrollToEnd();
  });
  const onRest = useEffectEvent(() => onRested?.());
  /** As long as the rows below were not measured, the list may have been too short to be scrolled to the place. */
  const settle = useEffectEvent((row: HeldRow) => {
    if (isScrolledAway(list, row)) list.scrollToOffset(topWhileHeld(list, row));
    // A follower's end stays where it is by itself.
    hold(follows && list.isAtEnd() ? null : row);
  });
  const isTooShort = useEffectEvent(
    () => opening !== null && (isStillShort(list, opening) || isBeyondEnd(list, opening)),
  );
  const sizeNow = useEffectEvent(() => list.getTotalSize());
  const isLeft = useEffectEvent((row: HeldRow) => isScrolledAway(list, row));
  // Once: after a change of thread this is another instance of the component.
  useLayoutEffect(() => {
    begin();
    let frames = 0;
    const begunMs = performance.now();
    let isTouched = false;
    let sizePx = 0;
    const stopHearing = onMovedByHand(() => {
      isTouched = true;
    });
    let frame = requestAnimationFrame(function again() {
      frames += 1;
      const isShort = isTooShort();
      // Scrolled by something else than what has come in the list, when that has settled.
      if (opening && frames > SETTLING_FRAMES && sizeNow() === sizePx && isLeft(opening)) isTouched = true;
      if (opening && !(isTouched && frames > SETTLING_FRAMES)) settle(opening);
      sizePx = sizeNow();
      if (frames === SETTLING_FRAMES) onRest();
      if (
        frames < SETTLING_FRAMES ||
        (isShort && !isTouched && performance.now() - begunMs < MAX_SETTLING_MS)
      )
        frame = requestAnimationFrame(again);
      else if (frames > SETTLING_FRAMES) onRest();
    });
    return () => {
      cancelAnimationFrame(frame);
      stopHearing();
    };
  }, [opening]);
}
