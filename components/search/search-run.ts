import type { QueryProblem, SearchEvent, SearchHit, SearchProgress } from "@/lib/wire/search";

/** The current state of a search. `complete`: every text was searched, so there are no further hits. */
export type SearchRun = {
  phase: "idle" | "running" | "done" | "stopped" | "failed";
  hits: readonly SearchHit[];
  problems: readonly QueryProblem[];
  progress: SearchProgress | null;
  complete: boolean;
  /** Where the server continues: it stopped after some thousands of hits. */
  nextCursor: string | null;
  /** Hits past the most that the page keeps were left out. */
  overflow: boolean;
  error: Error | null;
  tookMs: number | null;
};

export const IDLE: SearchRun = {
  phase: "idle",
  hits: [],
  problems: [],
  progress: null,
  complete: false,
  nextCursor: null,
  overflow: false,
  error: null,
  tookMs: null,
};

/** The number of hits that the page keeps; a query with more should be narrowed. */
const MAX_HITS = 20_000;

/** The run after a batch of events. One call a frame: each makes a new list of hits. */
export function advance(run: SearchRun, events: readonly SearchEvent[]): SearchRun {
  const next = { ...run };
  const fresh: SearchHit[] = [];
  for (const event of events) {
    switch (event.kind) {
      case "start":
        next.problems = event.problems;
        break;
      case "hits":
        for (const hit of event.hits) fresh.push(hit);
        break;
      case "progress":
        next.progress = event.progress;
        break;
      case "end":
        next.progress = event.progress;
        next.complete = event.complete;
        next.nextCursor = event.nextCursor;
        break;
    }
  }
  if (fresh.length > 0) {
    const all = run.hits.concat(fresh);
    next.overflow = run.overflow || all.length > MAX_HITS;
    next.hits = all.length > MAX_HITS ? all.slice(0, MAX_HITS) : all;
  }
  return next;
}

/** A search that is running: what it has found is shown once a frame, however many events come in between. */
export class RunningSearch {
  readonly #show: (run: SearchRun) => void;
  readonly #startedAt = performance.now();
  #run: SearchRun;
  #waiting: SearchEvent[] = [];
  #frame = 0;

  /** @param before an answer that this one goes on with */
  constructor(before: SearchRun, show: (run: SearchRun) => void) {
    this.#run = { ...before, phase: "running", nextCursor: null };
    this.#show = show;
    show(this.#run);
  }

  add = (event: SearchEvent): void => {
    this.#waiting.push(event);
    this.#frame ||= requestAnimationFrame(() => this.#showNow({}));
  };

  /** It has come to its end, or was ended by the reader. */
  end(phase: "done" | "stopped"): void {
    this.#showNow({ phase, tookMs: performance.now() - this.#startedAt });
  }

  /** Returns whether it had begun to answer. */
  fail(error: Error): boolean {
    this.#showNow({ phase: "failed", error });
    return this.#run.progress !== null || this.#run.hits.length > 0;
  }

  /** Nothing of it is shown any more. */
  leave(): void {
    cancelAnimationFrame(this.#frame);
  }

  #showNow(change: Partial<SearchRun>): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#run = { ...advance(this.#run, this.#waiting), ...change };
    this.#waiting = [];
    this.#show(this.#run);
  }
}
