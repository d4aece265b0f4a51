import { useSyncExternalStore } from "react";

function makeClock(stepMs: number) {
  const listeners = new Set<() => void>();
  let now = 0;
  let timer: ReturnType<typeof setInterval> | null = null;
  const tick = () => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    read: () => {
      if (timer === null || now === 0) now = Math.floor(Date.now() / stepMs) * stepMs;
      return now;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      timer ??= setInterval(tick, stepMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

const SECONDS = makeClock(1_000);
const MINUTES = makeClock(30_000);

/** The time, renewed every second or every half minute by one timer for the whole page; 0 on the server. */
export function useNow(pace: "seconds" | "minutes" = "minutes"): number {
  const clock = pace === "seconds" ? SECONDS : MINUTES;
  return useSyncExternalStore(clock.subscribe, clock.read, () => 0);
}
