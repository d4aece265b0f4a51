import type { Row } from "@/lib/wire/rows";

/** True for the first row that was written after the reader's last visit. */
export function isFirstNew(before: Row | undefined, row: Row | undefined, seenMs: number | null): boolean {
  if (seenMs === null || !row || row.atMs === null || row.atMs <= seenMs) return false;
  return before !== undefined && before.atMs !== null && before.atMs <= seenMs;
}
