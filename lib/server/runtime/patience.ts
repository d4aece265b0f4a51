import { setTimeout as sleep } from "node:timers/promises";
import type { ScanProgress } from "@/lib/wire/session";

/** Work that takes longer is answered with its progress; the caller asks again. */
const PATIENCE_MS = 150;

/** Work that goes on, whoever waits for it, and how far it is. */
export type LongWork<T> = ScanProgress["scanning"] & { done: Promise<T> };

/** What work resolves to, or null where a request should not wait for that any longer. Rejects as it does. */
export function resultSoon<T>(work: Promise<T>, patienceMs = PATIENCE_MS): Promise<T | null> {
  return Promise.race([work, sleep(patienceMs, null, { ref: false })]);
}

/** What a run resolves to, or how far it is where a request should not wait for that. Rejects as it does. */
export async function resultOrProgress<T>(run: LongWork<T>): Promise<T | ScanProgress> {
  return (await resultSoon(run.done)) ?? progressOf(run);
}

/** How far a run is, as an answer. */
export function progressOf({ bytesDone, bytesTotal }: ScanProgress["scanning"]): ScanProgress {
  return { scanning: { bytesDone, bytesTotal } };
}
