import type { NowTile } from "@/lib/wire/live";

/** A session at its end, following it. */
export function nowHref({ summary, live }: Pick<NowTile, "summary" | "live">): string {
  const path = `/sessions/${encodeURIComponent(summary.id)}`;
  // A call that never ended is pointed at: nothing follows it.
  return live.gone && live.doing?.recordId ? `${path}?at=${live.doing.recordId}` : `${path}?follow=1`;
}
