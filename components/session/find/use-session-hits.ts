import { useContext, useEffect, useMemo } from "react";
import { type PageSearch, useSearch } from "@/components/search/use-search";
import { useSessionPage } from "@/components/session/session-store";
import { SelectedTimeContext } from "@/components/thread/selected-time";
import { useLiveRefetch, useThreadState } from "@/components/thread/use-thread";
import { useDebounced } from "@/lib/client/use-debounced";
import { wantedWords } from "@/lib/query/text-marks";
import type { SearchHit } from "@/lib/wire/search";
import { orderHits, shownHits } from "./found-hits";
import { type SearchMarks, searchMarks } from "./row-marks";

/** What a query finds in the session that is read. */
type SessionHits = {
  search: PageSearch;
  /** In the thread's order: those of the selected part of the time that the chosen detail does not leave out. */
  hits: readonly SearchHit[];
  /** The number of hits that the detail leaves out. */
  hidden: number;
  /** The number of hits that do not lie in the selected part of the time. */
  outside: number;
  /** What is marked in the rows; `null` for nothing. */
  marks: SearchMarks | null;
  /** Whether more hits may come. */
  isOnItsWay: boolean;
};

const NONE: readonly SearchHit[] = [];
/** Between two searches of a session that grows while it is read. */
const RENEW_PAUSE_MS = 1_000;

/**
 * Looks for a query in the session: page after page until all hits are there, and again when the session has grown. Those
 * in the thread that is shown are told to its store, for what draws them beside it.
 */
export function useSessionHits(query: string): SessionHits {
  const { sessionId, choice, store: page } = useSessionPage();
  const store = page.thread;
  const search = useSearch({ q: useDebounced(query, 120), session: sessionId });
  const searched = query.trim() !== "" && search.of === query.trimEnd() ? search.hits : NONE;
  const range = useContext(SelectedTimeContext);
  const {
    shown: hits,
    hidden,
    outside,
  } = useMemo(() => shownHits(orderHits(searched), choice.detail, range), [searched, choice.detail, range]);
  const found = useMemo(
    () => hits.flatMap(({ agentId, recordId }) => (agentId === choice.agent ? [recordId] : [])),
    [hits, choice.agent],
  );
  // Shown beside the thread when all are known: until then each frame brings others.
  const { phase, complete } = search;
  const whole = complete && searched !== NONE ? search.of : null;
  useEffect(() => {
    if (searched === NONE || phase !== "running") store.setHits(found, whole);
  }, [store, found, whole, searched, phase]);
  const marks = useMemo(
    () => searchMarks(wantedWords(query, search.problems), searched),
    [query, search.problems, searched],
  );
  const { nextCursor, overflow, more } = search;
  useEffect(() => {
    if (phase === "done" && nextCursor !== null && !overflow) more();
  }, [phase, nextCursor, overflow, more]);
  const windows = useThreadState(store, ({ thread }) => thread?.windows ?? null);
  useLiveRefetch(windows, search.renew, phase === "done", RENEW_PAUSE_MS);
  return { search, hits, hidden, outside, marks, isOnItsWay: searched === NONE || !complete };
}
