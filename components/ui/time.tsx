"use client";

import { useLastKnown } from "@/lib/client/connection/last-known";
import { usePreferences } from "@/lib/client/preferences";
import { useNow } from "@/lib/client/use-now";
import {
  formatAgo,
  formatClockSeconds,
  formatElapsed,
  formatFullTime,
  formatMoment,
  formatWhen,
} from "@/lib/format/format";

/** A time in the reader's preferred format, with the full timestamp on hover. */
export function Time({ atMs, className }: { atMs: number; className?: string }) {
  const { time } = usePreferences();
  const now = useNow();
  const other = time === "clock" ? formatAgo(atMs, now) : formatWhen(atMs, now);
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={`${formatFullTime(atMs)} · ${other}`}
      className={className}
    >
      {time === "clock" ? formatWhen(atMs, now) : formatAgo(atMs, now)}
    </time>
  );
}

/** A time among others of what may have lasted for days, with its day unless that is today, and the full timestamp on hover. */
export function Moment({ atMs, clock, className }: MomentProps) {
  const now = useNow();
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatFullTime(atMs)} className={className}>
      {formatMoment(atMs, now, clock)}
    </time>
  );
}

/** `clock`: how its time of day is told. */
type MomentProps = { atMs: number; clock?: (atMs: number) => string; className?: string };

/**
 * The time elapsed since `sinceMs` of something that goes on, updated every second; without a connection to the server, up
 * to when that was last known.
 */
export function Elapsed({ sinceMs, format, className }: ElapsedProps) {
  const nowMs = useNow("seconds");
  const knownMs = useLastKnown();
  if (sinceMs === null || nowMs === 0) return null;
  const elapsedMs = Math.max(0, Math.floor(((knownMs ?? nowMs) - sinceMs) / 1000) * 1000);
  return (
    <span
      className={className}
      title={knownMs === null ? undefined : `As of ${formatClockSeconds(knownMs)}; not connected since`}
    >
      {format(elapsedMs)}
    </span>
  );
}

type ElapsedProps = { sinceMs: number | null; format: (ms: number) => string; className?: string };

/** The time left until `untilMs`, updated every second. */
export function Remaining({ untilMs }: { untilMs: number }) {
  const nowMs = useNow("seconds");
  if (nowMs === 0) return null;
  return <span className="whitespace-nowrap tabular-nums">{formatLeft(untilMs - nowMs)}</span>;
}

/** To the nearest hour, minute or second: a second after an hour was granted, an hour is left and not `59 m`. */
function formatLeft(leftMs: number): string {
  const unitMs = leftMs >= 86_400_000 ? 3_600_000 : leftMs >= 120_000 ? 60_000 : 1_000;
  return formatElapsed(Math.round(leftMs / unitMs) * unitMs);
}
