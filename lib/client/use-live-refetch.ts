import { useEffect, useEffectEvent } from "react";
import { throttled } from "./live-throttle";
import type { ThreadWindows } from "./thread-windows";

/** Answers of rows that are written one by one come before the next; of those that pour in not each is waited for. */
const LEAST_PAUSE_MS = 50;
/** So many times as long as an answer took: two thirds of the time the server does other things. */
const REST = 2;

/**
 * Asks for a picture of a thread again whenever its rows have changed: at once after a rest, and while rows
 * pour in as often as answers come.
 */
export function useLiveRefetch(
  windows: ThreadWindows<unknown> | null,
  refetch: () => Promise<unknown>,
): void {
  const ask = useEffectEvent(refetch);
  useEffect(() => {
    if (!windows) return;
    const renew = throttled(LEAST_PAUSE_MS, () => ask(), REST);
    let known = windows.getSnapshot().revision;
    return windows.subscribe(() => {
      const now = windows.getSnapshot().revision;
      if (now === known) return;
      known = now;
      renew();
    });
  }, [windows]);
}
