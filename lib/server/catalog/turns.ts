import { setImmediate as nextTurn } from "node:timers/promises";

/** An answer takes some turns of the thread: a reader would notice more. */
const SLICE_MS = 10;

/** Cuts long work on the server's own thread into slices, between which requests have their turn. */
export class Turns {
  #sliceEndsAtMs = performance.now() + SLICE_MS;

  /** To be awaited after each piece of the work. */
  async next(): Promise<void> {
    if (performance.now() < this.#sliceEndsAtMs) return;
    await nextTurn();
    this.#sliceEndsAtMs = performance.now() + SLICE_MS;
  }
}
