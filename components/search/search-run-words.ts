import { formatBytes } from "@/lib/format/format-bytes";
import { formatCount, formatPercent, formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import type { SearchProgress } from "@/lib/wire/search";
import type { SearchRun } from "./search-run";

/** How far a search is, in words that do not promise more than was looked at. */
export function runWords({
  phase,
  complete,
  hits,
  nextCursor,
  overflow,
  progress,
  tookMs,
}: Omit<SearchRun, "problems" | "error">): string {
  const found = formatPlural(hits.length, "hit");
  const took = tookMs === null ? "" : ` in ${formatDuration(tookMs)}`;
  if (overflow) return `More than ${found}: the first of them are here. Add a word to find fewer.`;
  if (phase === "running")
    return progress ? `Reading the logs: ${farWords(progress)} · ${found} so far` : "Searching…";
  if (phase === "stopped") {
    return `Stopped${progress ? ` at ${farWords(progress)}` : ""}: not complete, ${found} so far`;
  }
  if (nextCursor !== null) return `Not complete: the first ${found}, and there are more`;
  if (!complete) return `Not complete${progress ? `: ${farWords(progress)}` : ""} · ${found} so far`;
  return `Complete: ${found}${progress ? ` in ${formatBytes(progress.bytesTotal)}` : ""}, all of it looked at${took}`;
}

/** `61 % · 4.7 of 7.8 GB · 120 of 2,310 files`. */
function farWords({ bytesDone, bytesTotal, filesDone, filesTotal }: SearchProgress): string {
  return `${formatPercent(progressShare({ bytesDone, bytesTotal }))} · ${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)} · ${formatCount(filesDone)} of ${formatPlural(filesTotal, "file")}`;
}

/** 0 to 1; nothing to look at is all done. */
export function progressShare({
  bytesDone,
  bytesTotal,
}: Pick<SearchProgress, "bytesDone" | "bytesTotal">): number {
  return bytesTotal > 0 ? bytesDone / bytesTotal : 1;
}
