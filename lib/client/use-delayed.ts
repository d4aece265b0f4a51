import { useEffect, useState } from "react";

/** True once `active` has held for `delayMs`: a skeleton that would only flash is not shown. */
export function useDelayed(active: boolean, delayMs = 150): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), delayMs);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [active, delayMs]);
  return active && passed;
}
