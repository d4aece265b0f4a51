import { useSyncExternalStore } from "react";

/** A time that is the same for all who read it in one step; its timer runs while somebody follows it. */
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

let seconds = makeClock(1_000);
const MINUTES = makeClock(30_000);

/** Counts no second behind this time: an exported file, whenever it is read, knows no more of what still ran then. */
export function stopSecondsAt(ms: number): void {
  seconds = { read: () => ms, subscribe: () => () => undefined };
}

const noClock = { read: () => null, subscribe: () => () => undefined };

/** The time, renewed every second; `null` while it is not needed, and then nothing is drawn for it. */
export function useSecondsWhile(isNeeded: boolean): number | null {
  const clock = isNeeded ? seconds : noClock;
  return useSyncExternalStore<number | null>(clock.subscribe, clock.read, () => null);
}

/** The time, renewed every second or every half minute by one timer for the whole page; 0 on the server. */
export function useNow(pace: "seconds" | "minutes" = "minutes"): number {
  const clock = pace === "seconds" ? seconds : MINUTES;
  return useSyncExternalStore(clock.subscribe, clock.read, () => 0);
}
