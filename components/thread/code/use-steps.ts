import { useState } from "react";

export type Steps = { total: number; shown: number; step: number; showNext: () => void; showAll: () => void };

/** How many of many lines are shown: some at first, more on request. */
export function useSteps(total: number, step = 200): Steps {
  const [limit, setLimit] = useState(step);
  return {
    total,
    // A handful left over is shown with the rest, not behind a button.
    shown: total <= limit * 1.1 ? total : limit,
    step,
    showNext: () => setLimit(limit + step),
    showAll: () => setLimit(Number.POSITIVE_INFINITY),
  };
}
