/** A task that is run a little after it is asked for; what is asked for in between is the same run. */
export type Paced = { ask: () => void; stop: () => void };

/** Runs `task` `soonMs` after a rest, and while it is asked for again and again at most every `everyMs`. */
export function paced(task: () => void, soonMs: number, everyMs: number): Paced {
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
