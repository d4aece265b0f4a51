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
