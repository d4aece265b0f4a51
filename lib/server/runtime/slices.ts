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

/** Counts the requests being answered, so that background work can step aside for them. */
export class RequestActivity {
  #active = 0;
  #waiting: (() => void)[] = [];

  /** Runs `task` as a request: background work waits until it is done. */
  async during<T>(task: () => T | Promise<T>): Promise<T> {
    this.#active += 1;
    try {
      return await task();
    } finally {
      this.#active -= 1;
      if (this.#active === 0) for (const go of this.#waiting.splice(0)) go();
    }
  }

  /** Resolves when no request is being answered, at the latest after `atMostMs`. */
  async quiet(atMostMs: number): Promise<void> {
    if (this.#active === 0) return;
    await new Promise<void>((go) => {
      const timer = setTimeout(go, atMostMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        go();
      });
    });
  }
}
