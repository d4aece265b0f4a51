import type { Health } from "@/lib/wire/health";

/** Bytes a second since this page first saw the indexing under way; `null` until that can be said. */
export type Pace = { bytesPerSecond: number | null; leftMs: number | null };

const MIN_ELAPSED_MS = 1_500;

/** Makes a function that is told every health answer and says how fast the indexing goes. */
export function makePaceMeter(): (indexing: Health["indexing"], nowMs: number) => Pace {
  let first: { atMs: number; bytesDone: number } | null = null;
  return (indexing, nowMs) => {
    // A smaller number than before is another run of the server.
    if (indexing.done || first === null || indexing.bytesDone < first.bytesDone) {
      first = { atMs: nowMs, bytesDone: indexing.bytesDone };
    }
    const elapsedMs = nowMs - first.atMs;
    const bytes = indexing.bytesDone - first.bytesDone;
    if (elapsedMs < MIN_ELAPSED_MS || bytes <= 0) return { bytesPerSecond: null, leftMs: null };
    const bytesPerSecond = (bytes / elapsedMs) * 1000;
    return { bytesPerSecond, leftMs: ((indexing.bytesTotal - indexing.bytesDone) / bytesPerSecond) * 1000 };
  };
}
