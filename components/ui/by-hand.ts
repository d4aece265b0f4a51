import type { PointerEvent } from "react";

/** What a reader does who goes on by themselves. */
const BY_HAND = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Calls `run` whenever the reader scrolls, points or presses a key, before anything in the page hears of it.
 * @returns ends it
 */
export function onMovedByHand(run: () => void): () => void {
  for (const kind of BY_HAND) window.addEventListener(kind, run, { capture: true, passive: true });
  return () => {
    for (const kind of BY_HAND) window.removeEventListener(kind, run, { capture: true });
  };
}

/**
 * What has an element be pressed and dragged, past its edges too.
 * @param goTo is told of the pointer where it is pressed, and of each place to which it is dragged
 */
export function followPointer<Of extends Element>(goTo: (event: PointerEvent<Of>) => void) {
  const follow = (event: PointerEvent<Of>) => {
    if (event.buttons === 1) goTo(event);
  };
  return {
    onPointerDown: (event: PointerEvent<Of>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove: follow,
  };
}
