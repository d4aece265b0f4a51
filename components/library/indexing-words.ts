import type { Pace } from "@/lib/client/indexing-pace";
import { formatBytesOf } from "@/lib/format/format-bytes";
import { formatCount } from "@/lib/format/format-count";
import { formatElapsed } from "@/lib/format/format-duration";
import type { Health } from "@/lib/wire/health";

type Indexing = Health["indexing"];

/** How far, 0 to 1, by bytes; by files where their sizes are not known yet. */
export function indexingShare({ bytesDone, bytesTotal, filesDone, filesTotal }: Indexing): number {
  if (bytesTotal > 0) return bytesDone / bytesTotal;
  return filesTotal > 0 ? filesDone / filesTotal : 0;
}

/** `1,284 of 2,310 files · 3.1 of 7.8 GB · 40 s left`; what is not known is left out. */
export function indexingLine(indexing: Indexing, pace: Pace): string {
  if (indexing.phase === "listing") return "Listing the files";
  const parts = [
    `${formatCount(indexing.filesDone)} of ${formatCount(indexing.filesTotal)} files`,
    formatBytesOf(indexing.bytesDone, indexing.bytesTotal),
  ];
  if (pace.leftMs !== null) parts.push(`${formatElapsed(pace.leftMs + 999)} left`);
  return parts.join(" · ");
}
