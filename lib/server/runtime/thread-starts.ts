import { isViewerError, ViewerError } from "./viewer-error";

const FIRST_WAIT_MS = 1_000;
/** A start takes 30 ms of a core. */
const MAX_WAIT_MS = 60_000;

/** What the terminal was told: the same keeps each of ten threads from starting. */
const told = new Set<string>();

/** How starting a thread went, and when it is tried again where it failed: ever later. */
export class ThreadStarts {
  #fault: ViewerError | null = null;
  #waitMs = FIRST_WAIT_MS;
  #againAtMs = Number.NEGATIVE_INFINITY;

  /** Why the last start failed; null since one succeeded. */
  get fault(): ViewerError | null {
    return this.#fault;
  }

  /** How long until it may be tried again; 0 if it may be now. */
  get waitMs(): number {
    return this.#fault ? Math.max(0, this.#againAtMs - performance.now()) : 0;
  }

  noteStarted(): void {
    this.#fault = null;
    this.#waitMs = FIRST_WAIT_MS;
  }

  /** Returns what to tell those whose tasks were waiting for the thread. */
  noteFailed(cause: unknown): ViewerError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (!told.has(reason)) {
      told.add(reason);
      console.error("A thread could not be started, which is tried again:", cause);
    }
    this.#againAtMs = performance.now() + this.#waitMs;
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2);
    this.#fault = new ViewerError(NOT_STARTED, `A thread of Backscroll cannot be started: ${reason}`, {
      status: 503,
      hint: "It is tried again by itself. Check NODE_OPTIONS, and the limits of memory, threads and open files.",
      cause,
    });
    return this.#fault;
  }
}

const NOT_STARTED = "thread-not-started";

/** What a thread was asked was not begun: the thread could not be started. */
export function isThreadNotStarted(error: unknown): error is ViewerError {
  return isViewerError(error) && error.code === NOT_STARTED;
}
