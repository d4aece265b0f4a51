import type { QueryProblem, SearchEvent, SearchHit, SearchProgress } from "@/lib/wire/search";

/** A search as far as it is. `complete`: every text was looked at, so what is not here is nowhere. */
export type SearchRun = {
  phase: "idle" | "running" | "done" | "stopped" | "failed";
  hits: readonly SearchHit[];
  problems: readonly QueryProblem[];
  progress: SearchProgress | null;
  complete: boolean;
  /** Where the server goes on: it stopped after some thousands of hits. */
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

/** What the page keeps of a search; a query with more finds wants another word. */
const MOST_HITS = 20_000;

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
    next.overflow = run.overflow || all.length > MOST_HITS;
    next.hits = all.length > MOST_HITS ? all.slice(0, MOST_HITS) : all;
  }
  return next;
}
