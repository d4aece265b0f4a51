import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { EventReader } from "@/lib/client/connection/event-reader";
import { noteLoss } from "@/lib/client/connection/known-server";
import { getResponse } from "@/lib/client/connection/send";
import { isUnreachable, whenBack } from "@/lib/client/connection/when-back";
import { ownZone } from "@/lib/format/format";
import type { Asked, SearchRequest } from "@/lib/wire/requests";
import type { QueryProblem, SearchEvent, SearchHit, SearchProgress } from "@/lib/wire/search";

export type PageSearch = SearchRun & {
  /** The query of the hits; while the first hits of a new query are awaited, the previous one. */
  of: string;
  stop: () => void;
  again: () => void;
  /** Continues where the server stopped after some thousands of hits. */
  more: () => void;
  /** Searches again in the background; the new answer replaces the hits when it is complete. */
  renew: () => Promise<void>;
};

/**
 * Runs a search while `request.q` is not empty, cancels the one before, and shows events once a frame. The hits of the
 * query before stay until the first of the new ones, so that a list does not flicker.
 */
export function useSearch({ q, project = null, session = null }: SearchParameters): PageSearch {
  const [{ run, of }, setState] = useState({ run: IDLE, of: "" });
  const [attempt, setAttempt] = useState(0);
  /** The run that the next attempt goes on with, unless something else is asked by then. */
  const goingOn = useRef<{ run: SearchRun; of: string } | null>(null);
  /** The query whose answer has broken off, so many times since it was last complete or asked for by hand. */
  const brokenOff = useRef({ of: "", times: 0 });
  const controller = useRef<AbortController | null>(null);
  // Not trimmed at its start: errors refer to positions in it.
  const query = q.trimEnd();

  useEffect(() => {
    const before = goingOn.current?.of === query ? goingOn.current.run : IDLE;
    goingOn.current = null;
    if (query.trim() === "") {
      setState({ run: IDLE, of: "" });
      return;
    }
    const abort = new AbortController();
    controller.current = abort;
    const startedAt = performance.now();
    let current: SearchRun = { ...before, phase: "running", nextCursor: null };
    let waiting: SearchEvent[] = [];
    let frame = 0;
    const show = (change: Partial<SearchRun>) => {
      cancelAnimationFrame(frame);
      frame = 0;
      current = { ...advance(current, waiting), ...change };
      waiting = [];
      setState((old) => {
        const nothingYet =
          current.phase === "running" && current.hits.length === 0 && old.run.hits.length > 0;
        return nothingYet
          ? { run: { ...current, hits: old.run.hits }, of: old.of }
          : { run: current, of: query };
      });
    };
    const tookMs = () => performance.now() - startedAt;
    let stopWaiting = () => undefined as void;
    const onEvent = (event: SearchEvent) => {
      waiting.push(event);
      frame ||= requestAnimationFrame(() => show({}));
    };
    show({});
    streamSearch({ q: query, project, session, cursor: before.nextCursor }, abort.signal, onEvent).then(
      () => {
        if (abort.signal.aborted) return;
        brokenOff.current.times = 0;
        show({ phase: "done", tookMs: tookMs() });
      },
      (error: unknown) => {
        // Stopped by the reader, the hits stay; otherwise a newer query has replaced this one.
        if (abort.signal.reason === STOPPED) show({ phase: "stopped", tookMs: tookMs() });
        else if (!abort.signal.aborted) {
          show({ phase: "failed", error: error instanceof Error ? error : new Error(String(error)) });
          if (!isUnreachable(error)) return;
          // What breaks a search off in its middle may be the search itself: that is not tried again for ever.
          const isBroken = current.progress !== null || current.hits.length > 0;
          if (brokenOff.current.of !== query) brokenOff.current = { of: query, times: 0 };
          if (isBroken && ++brokenOff.current.times > MAX_BROKEN_OFF) return;
          stopWaiting = whenBack(() => setAttempt((count) => count + 1));
        }
      },
    );
    return () => {
      cancelAnimationFrame(frame);
      stopWaiting();
      abort.abort();
    };
  }, [query, project, session, attempt]);

  const stop = useCallback(() => controller.current?.abort(STOPPED), []);
  const again = useCallback(() => {
    brokenOff.current.times = 0;
    setAttempt((count) => count + 1);
  }, []);
  const more = useCallback(() => {
    if (of !== query || run.nextCursor === null) return;
    goingOn.current = { run, of };
    setAttempt((count) => count + 1);
  }, [run, of, query]);
  const renew = useCallback(async () => {
    const { signal } = controller.current ?? {};
    if (!signal || query.trim() === "") return;
    const startedAt = performance.now();
    let next: SearchRun = IDLE;
    try {
      do {
        const waiting: SearchEvent[] = [];
        await streamSearch({ q: query, project, session, cursor: next.nextCursor }, signal, (event) =>
          waiting.push(event),
        );
        next = advance({ ...next, nextCursor: null }, waiting);
      } while (next.nextCursor !== null && !next.overflow);
    } catch (error) {
      // The hits stay; the next change searches again.
      if (signal.aborted || error instanceof ApiError) return;
      throw error;
    }
    const tookMs = performance.now() - startedAt;
    if (!signal.aborted) setState({ run: { ...next, phase: "done", tookMs }, of: query });
  }, [query, project, session]);
  return { ...run, of, stop, again, more, renew };
}

/** A server may be restarted twice during a search; what breaks off more often is asked for by hand. */
const MAX_BROKEN_OFF = 2;

const STOPPED = new DOMException("The reader stopped the search.", "AbortError");

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

/** A request to `/api/search`. */
export type SearchParameters = Asked<typeof SearchRequest> & { q: string };

/**
 * Streams a search: hits as they are found, how far it is, and its end. Throws `ApiError`; ends early
 * with the signal's reason when that aborts, which also ends the work on the server.
 */
async function streamSearch(
  request: SearchParameters,
  signal: AbortSignal,
  onEvent: (event: SearchEvent) => void,
): Promise<void> {
  const response = await getResponse("/api/search", {
    query: { zone: ownZone(), ...request },
    signal,
    accept: "text/event-stream",
  });
  const lost = () => {
    noteLoss();
    return new ApiError(0, UNREACHABLE);
  };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw lost();
  const events = new EventReader<SearchEvent>();
  let hasEnded = false;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      // A stream that breaks off fails like a request that is not answered.
      if (!(cause instanceof TypeError)) throw cause;
      throw lost();
    });
    // A proxy may close what its server has not ended: that breaks off as well.
    if (done && !hasEnded) throw lost();
    if (done) return;
    for (const { event } of events.take(value)) {
      hasEnded ||= event.kind === "end";
      onEvent(event);
    }
  }
}
