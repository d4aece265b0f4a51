import { useEffect, useEffectEvent, useRef } from "react";
import { throttled } from "@/lib/client/live-throttle";
import type { ThreadWindows } from "./thread-windows";

/** Answers of rows that are written one by one come before the next; of those that pour in not each is waited for. */
const LEAST_PAUSE_MS = 50;
/** So many times as long as an answer took: two thirds of the time the server does other things. */
const REST = 2;

/**
 * Asks for a picture of a thread again whenever its rows have changed: at once after a rest, and while rows
 * pour in as often as answers come. One that is not `shown` is asked for when it is again.
 * @param pauseMs between two askings at least
 */
export function useLiveRefetch(
  windows: ThreadWindows<unknown> | null,
  refetch: () => Promise<unknown>,
  shown = true,
  pauseMs = LEAST_PAUSE_MS,
): void {
  const ask = useEffectEvent(refetch);
  /** The revision that was asked for last, of these windows. */
  const known = useRef<{ of: typeof windows; revision: number }>({ of: null, revision: 0 });
  useEffect(() => {
    if (!windows) return;
    if (known.current.of !== windows)
      known.current = { of: windows, revision: windows.getSnapshot().revision };
    if (!shown) return;
    const renew = throttled(pauseMs, () => ask(), REST);
    const look = () => {
      const { revision } = windows.getSnapshot();
      if (revision === known.current.revision) return;
      known.current.revision = revision;
      renew();
    };
    look();
    return windows.subscribe(look);
  }, [windows, shown, pauseMs]);
}
