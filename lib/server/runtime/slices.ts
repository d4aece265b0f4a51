import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { InSteps } from "@/lib/format/in-steps";

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

/** The result of work in steps, between which requests get their turn as with `nextSlice`. */
export async function inSlices<Result>(work: InSteps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextSlice();
  }
}

/** How many requests the server is answering, as its threads see it. */
export type RequestCount = Int32Array<SharedArrayBuffer>;

/** Of this process, for the threads that it starts: they follow it. */
export const requestCount: RequestCount = new Int32Array(new SharedArrayBuffer(4));

let followed: RequestCount | null = null;

/** From here on this thread's background work steps aside for the requests that are counted so. */
export function followRequests(count: RequestCount): void {
  followed = count;
}

/** Background work on another thread looks so often whether it may go on. */
const LOOK_MS = 2;

/** Nothing waits longer for a reader who is being answered. */
const STEP_ASIDE_MS = 250;

/** Resolves when no request is being answered, or after a quarter of a second; at once where none are followed. */
export async function untilQuiet(): Promise<void> {
  const endsAtMs = performance.now() + STEP_ASIDE_MS;
  while (followed && Atomics.load(followed, 0) > 0 && performance.now() < endsAtMs) await wait(LOOK_MS);
}

/** Counts the requests being answered, so that background work can step aside for them. */
export class RequestActivity {
  readonly #whenQuiet: () => void;
  #active = 0;
  #waiting: (() => void)[] = [];

  /** @param whenQuiet called whenever the last of them has been answered */
  constructor(whenQuiet: () => void = () => undefined) {
    this.#whenQuiet = whenQuiet;
  }

  /** Runs `task` as a request: background work waits until it is done. */
  async during<T>(task: () => T | Promise<T>): Promise<T> {
    this.#active += 1;
    Atomics.add(requestCount, 0, 1);
    try {
      return await task();
    } finally {
      this.#active -= 1;
      Atomics.sub(requestCount, 0, 1);
      if (this.#active === 0) {
        for (const go of this.#waiting.splice(0)) go();
        this.#whenQuiet();
      }
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
