import { useEffect, useState } from "react";
import { throttled } from "./live-throttle";
import type { ThreadWindows } from "./thread-windows";

/** The revision of a thread's rows: at once when it has rested, while rows pour in at most every `everyMs`. */
export function useLiveRevision(windows: ThreadWindows<unknown> | null, everyMs: number): number | null {
  const [revision, setRevision] = useState(windows?.getSnapshot().revision ?? null);
  useEffect(() => {
    if (!windows) return;
    const renew = throttled(everyMs, () => setRevision(windows.getSnapshot().revision));
    let known = windows.getSnapshot().revision;
    setRevision(known);
    return windows.subscribe(() => {
      const now = windows.getSnapshot().revision;
      if (now === known) return;
      known = now;
      renew();
    });
  }, [windows, everyMs]);
  return revision;
}
