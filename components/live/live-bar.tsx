import { StateBar } from "@/components/ui/state-bar";
import { useLiveStatus } from "@/lib/client/live-status";
import type { LiveStream } from "@/lib/client/live-stream";
import { useNow } from "@/lib/client/use-now";
import { formatDuration } from "@/lib/format/format-duration";
import { formatClockSeconds } from "@/lib/format/format-time";

/** A page that comes back within this time has lost nobody's attention. */
const QUIET_MS = 1_000;

/** A line over content that is not live: since when, and when it is tried again. What is there stays. */
export function LiveBar({ stream }: { stream: LiveStream }) {
  const { kind, sinceMs, nextTryAtMs, againAfterMs } = useLiveStatus(stream.status);
  const nowMs = useNow("seconds");
  if (againAfterMs !== null) {
    return (
      <StateBar tone="done">Live again after {formatDuration(againAfterMs)}, nothing is missing</StateBar>
    );
  }
  if (kind !== "stale" || sinceMs === null || nowMs - sinceMs < QUIET_MS) return null;
  const seconds = Math.max(0, Math.ceil(((nextTryAtMs ?? nowMs) - nowMs) / 1000));
  return (
    <StateBar
      tone="stale"
      action={
        <button type="button" className="underline underline-offset-2" onClick={stream.retryNow}>
          Now
        </button>
      }
    >
      Not live since {formatClockSeconds(sinceMs)}. Reconnecting
      {seconds > 0 ? `, next try in ${seconds} s` : "…"}
    </StateBar>
  );
}
