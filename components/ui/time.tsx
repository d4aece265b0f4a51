"use client";

import { usePreferences } from "@/lib/client/preferences";
import { useNow } from "@/lib/client/use-now";
import { formatAgo, formatFullTime, formatWhen } from "@/lib/format/format-time";

/** A moment as the reader prefers it, the whole of it on hover. */
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
