import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "@/lib/client/connection/api-error";
import { isUnreachable, whenBack } from "@/lib/client/connection/when-back";
import { IDLE, RunningSearch, type SearchRun } from "./search-run";
import { type SearchParameters, searchWhole, streamSearch } from "./stream-search";

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
export function useSearch({ q, project = null, session = null, here }: SearchParameters): PageSearch {
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
    const running = new RunningSearch(before, (now) =>
      setState((old) => {
        const isNothingYet = now.phase === "running" && now.hits.length === 0 && old.run.hits.length > 0;
        return isNothingYet ? { run: { ...now, hits: old.run.hits }, of: old.of } : { run: now, of: query };
      }),
    );
    let stopWaiting = () => undefined as void;
    const request = { q: query, project, session, here, cursor: before.nextCursor };
    streamSearch(request, abort.signal, running.add).then(
      () => {
        if (abort.signal.aborted) return;
        brokenOff.current.times = 0;
        running.end("done");
      },
      (error: unknown) => {
        // Stopped by the reader, the hits stay; otherwise a newer query has replaced this one.
        if (abort.signal.reason === STOPPED) return running.end("stopped");
        if (abort.signal.aborted) return;
        const hadBegun = running.fail(error instanceof Error ? error : new Error(String(error)));
        if (!isUnreachable(error)) return;
        // What breaks a search off in its middle may be the search itself: that is not tried again for ever.
        if (brokenOff.current.of !== query) brokenOff.current = { of: query, times: 0 };
        if (hadBegun && ++brokenOff.current.times > MAX_BROKEN_OFF) return;
        stopWaiting = whenBack(() => setAttempt((count) => count + 1));
      },
    );
    return () => {
      running.leave();
      stopWaiting();
      abort.abort();
    };
  }, [query, project, session, here, attempt]);

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
    try {
      const whole = await searchWhole({ q: query, project, session, here }, signal);
      if (!signal.aborted) setState({ run: whole, of: query });
    } catch (error) {
      // The hits stay; the next change searches again.
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
    }
  }, [query, project, session, here]);
  return { ...run, of, stop, again, more, renew };
}

/** A server may be restarted twice during a search; what breaks off more often is asked for by hand. */
const MAX_BROKEN_OFF = 2;

const STOPPED = new DOMException("The reader stopped the search.", "AbortError");
