import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that never changes and does what the last one given does: what takes it is not drawn again for it. */
export function useStable<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const last = useRef(run);
  useLayoutEffect(() => {
    last.current = run;
  });
  return useCallback((...args) => last.current(...args), []);
}
