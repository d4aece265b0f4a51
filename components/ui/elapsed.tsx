import { useNow } from "@/lib/client/use-now";

/** The time since then, counted on every second. */
export function Elapsed({ sinceMs, format }: { sinceMs: number | null; format: (ms: number) => string }) {
  const nowMs = useNow("seconds");
  if (sinceMs === null || nowMs === 0) return null;
  return <span>{format(Math.max(0, Math.floor((nowMs - sinceMs) / 1000) * 1000))}</span>;
}
