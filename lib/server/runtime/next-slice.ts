import { setImmediate as nextTurn } from "node:timers/promises";

/** An answer takes some turns of the thread: a reader would notice more. */
const SLICE_MS = 10;

let endsAtMs = 0;

/**
 * To be awaited after each piece of long work on the server's own thread: gives requests their turn when the
 * slice is over. One clock for all such work: many short pieces in a row are long as well.
 */
export async function nextSlice(): Promise<void> {
  if (performance.now() < endsAtMs) return;
  await nextTurn();
  endsAtMs = performance.now() + SLICE_MS;
}
