import { useEffect, useRef, useState } from "react";

/** Steps that a reader counts in, within a power of ten. */
const ROUND_STEPS = [1, 2, 2.5, 5, 10];
/** What floating point adds or takes is no step of its own. */
const TINY = 1e-9;

/**
 * Round values from 0 up, about four steps of them, for an axis. `reaching`: the last is no less than the most, so that the
 * axis ends there; `within`: it is no more.
 */
export function axisTicks(most: number, end: "reaching" | "within"): number[] {
  if (most <= 0) return [0, 1];
  const least = (most / 4) * (1 - TINY);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ROUND_STEPS.map((factor) => factor * power).find((one) => one >= least) ?? least;
  const steps = end === "reaching" ? Math.ceil(most / step - TINY) : Math.floor(most / step + TINY);
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** The width of an element, in whole pixels; `unknown` until it is known, and where the element is not laid out. */
export function useWidth(unknown = 0) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(unknown);
  useEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0) || unknown),
    );
    observer.observe(observed);
    return () => observer.disconnect();
  }, [unknown]);
  return [element, width] as const;
}
