import { useCallback, useEffect, useRef, useState } from "react";
import type { SearchEvent } from "@/lib/wire/search";
import { advance, IDLE, type SearchRun } from "./search-run";
import { type SearchRequest, streamSearch } from "./search-stream";

export type Search = SearchRun & {
  /** The query that the hits answer; while the first ones of a new query are awaited, the one before. */
  of: string;
  stop: () => void;
  again: () => void;
  /** Goes on where the server stopped after some thousands of hits. */
  more: () => void;
};

/**
 * Runs a search while `request.q` says something, drops the one before, and shows events once a frame.
 * The hits of the query before stay until the first of the new ones, so that a list does not flicker.
 */
export function useSearch({ q, project = null, session = null }: SearchRequest): Search {
  const [{ run, of }, setState] = useState({ run: IDLE, of: "" });
  const [attempt, setAttempt] = useState(0);
  /** The run that the next attempt goes on with. */
  const goingOn = useRef<SearchRun | null>(null);
  const controller = useRef<AbortController | null>(null);
  // Not its beginning: problems are told by their place.
  const query = q.trimEnd();

  useEffect(() => {
    if (query.trim() === "") {
      setState({ run: IDLE, of: "" });
      return;
    }
    const abort = new AbortController();
    controller.current = abort;
    const startedAt = performance.now();
    const before = goingOn.current ?? IDLE;
    goingOn.current = null;
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
    const onEvent = (event: SearchEvent) => {
      waiting.push(event);
      frame ||= requestAnimationFrame(() => show({}));
    };
    show({});
    streamSearch({ q: query, project, session, cursor: before.nextCursor }, abort.signal, onEvent).then(
      () => abort.signal.aborted || show({ phase: "done", tookMs: tookMs() }),
      (error: unknown) => {
        // The reader's stop keeps what is there; a newer query has taken this one's place.
        if (abort.signal.reason === STOPPED) show({ phase: "stopped", tookMs: tookMs() });
        else if (!abort.signal.aborted)
          show({ phase: "failed", error: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => {
      cancelAnimationFrame(frame);
      abort.abort();
    };
  }, [query, project, session, attempt]);

  const stop = useCallback(() => controller.current?.abort(STOPPED), []);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  const more = useCallback(() => {
    if (of !== query || run.nextCursor === null) return;
    goingOn.current = run;
    setAttempt((count) => count + 1);
  }, [run, of, query]);
  return { ...run, of, stop, again, more };
}

const STOPPED = new DOMException("The reader stopped the search.", "AbortError");
