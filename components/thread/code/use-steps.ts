import { useEffect, useState } from "react";

export type Steps = { total: number; shown: number; step: number; showNext: () => void; showAll: () => void };

/**
 * How many of many lines are shown: some at first, more on request, and up to `least` at once. All of them come
 * a step a frame, so that no frame draws thousands.
 */
export function useSteps(total: number, step = 200, least = 0): Steps {
  const [limit, setLimit] = useState(step);
  const [wanted, setWanted] = useState(step);
  const needed = Math.max(limit, least);
  useEffect(() => {
    if (limit >= Math.min(wanted, total)) return;
    const frame = requestAnimationFrame(() => setLimit(limit + step));
    return () => cancelAnimationFrame(frame);
  }, [limit, wanted, total, step]);
  return {
    total,
    // A handful left over is shown with the rest, not behind a button.
    shown: total <= needed * 1.1 ? total : needed,
    step,
    showNext: () => {
      setWanted(limit + step);
      setLimit(limit + step);
    },
    showAll: () => setWanted(Number.POSITIVE_INFINITY),
  };
}
