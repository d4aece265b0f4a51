/** A task that takes long again and again rests for so many times as long: renewing must not be all that the server does. */
const REST = 5;
/** Longer than this neither a task is waited for nor the next one put off: one may hang on a connection that is dead. */
const MAX_WAIT_MS = 30_000;

/**
 * Runs a task at once and then at most every `everyMs`, less often where it takes long; calls in between
 * become one at the end of the pause.
 */
export function throttled(everyMs: number, task: () => unknown, rest = REST): () => void {
  let busy = false;
  let again = false;
  let lastTookMs = 0;
  const run = async () => {
    busy = true;
    again = false;
    const startedAtMs = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await Promise.race([task(), new Promise((resolve) => (timer = setTimeout(resolve, MAX_WAIT_MS)))]);
    } finally {
      clearTimeout(timer);
      const tookMs = performance.now() - startedAtMs;
      // One that waited for something else once says nothing of the next.
      const usualMs = Math.min(tookMs, lastTookMs);
      lastTookMs = tookMs;
      setTimeout(
        () => {
          busy = false;
          if (again) void run();
        },
        Math.max(everyMs, Math.min(MAX_WAIT_MS, usualMs * rest)),
      );
    }
  };
  return () => {
    if (busy) again = true;
    else void run();
  };
}

/** A task that is run a little after it is asked for; what is asked for in between is the same run. */
export type Coalesced = { ask: () => void; stop: () => void };

/** Runs `task` `soonMs` after a rest, and while it is asked for again and again at most every `everyMs`. */
export function coalesced(task: () => void, soonMs: number, everyMs: number): Coalesced {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let ranAtMs = Number.NEGATIVE_INFINITY;
  const run = () => {
    timer = null;
    ranAtMs = performance.now();
    task();
  };
  return {
    ask: () => {
      timer ??= setTimeout(run, Math.max(soonMs, ranAtMs + everyMs - performance.now()));
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
