import { Time } from "@/components/ui/time";
import { isUnderWay } from "@/lib/client/is-live";
import { useNow } from "@/lib/client/use-now";
import { formatElapsed } from "@/lib/format/format-duration";
import type { SessionSort, SessionSummary } from "@/lib/wire/library";

/** How long a live session has been in its state; when another was last active, or started. */
export function SessionWhen({ session, sort }: { session: SessionSummary; sort: SessionSort }) {
  if (isUnderWay(session) && session.sinceMs !== null) {
    return <Elapsed sinceMs={session.sinceMs} waiting={session.state === "waiting"} />;
  }
  const atMs = sort === "started" ? session.startedAtMs : session.lastActiveAtMs;
  return atMs === null ? null : <Time atMs={atMs} />;
}

function Elapsed({ sinceMs, waiting }: { sinceMs: number; waiting: boolean }) {
  const nowMs = useNow("seconds");
  return <span className={waiting ? "text-warn" : "text-run"}>{formatElapsed(nowMs - sinceMs)}</span>;
}
