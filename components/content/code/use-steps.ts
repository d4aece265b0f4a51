import { useEffect, useState } from "react";

export type Steps = { total: number; shown: number; step: number; showNext: () => void; showAll: () => void };

/** Lines that a frame can draw and still be on time. */
const FRAME_LINES = 50;

/**
 * How many of many lines are shown: some at first, more on request, and up to `least` at once. More of them
 * come a few a frame, so that no frame draws thousands.
 */
export function useSteps(total: number, step = 200, least = 0): Steps {
  const [limit, setLimit] = useState(step);
  const [wanted, setWanted] = useState(step);
  const needed = Math.max(limit, least);
  useEffect(() => {
    if (limit >= Math.min(wanted, total)) return;
    const frame = requestAnimationFrame(() => setLimit(limit + FRAME_LINES));
    return () => cancelAnimationFrame(frame);
  }, [limit, wanted, total]);
  return {
    total,
    // A handful left over is shown with the rest, not behind a button.
    shown: total <= needed * 1.1 ? total : needed,
    step,
    showNext: () => setWanted(limit + step),
    showAll: () => setWanted(Number.POSITIVE_INFINITY),
  };
}
