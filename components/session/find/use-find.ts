import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type PageSearch, useSearch } from "@/components/search/use-search";
import { useSessionPage } from "@/components/session/session-store";
import { useLiveRefetch, useThreadState } from "@/components/thread/use-thread";
import { focusRow } from "@/components/ui/main-focus";
import { parsePermalink } from "@/lib/client/address/session-url";
import { useKeys } from "@/lib/client/key-registry";
import { useDebounced } from "@/lib/client/use-debounced";
import { wantedWords } from "@/lib/query/text-marks";
import { formatRowKey } from "@/lib/wire/ids";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { findPlace, orderHits, shownHits } from "./found-hits";
import { searchMarks } from "./row-marks";
import { useFindMarks } from "./use-find-marks";
import { useFoundPlace } from "./use-found-place";

/** Find in session: what is looked for, the hits in the thread's order, and the way from one to the next. */
export type Find = {
  query: string;
  setQuery: (query: string) => void;
  search: PageSearch;
  hits: readonly SearchHit[];
  /** Hits in records that the chosen detail leaves out. */
  hidden: number;
  /** The hit that was gone to last, -1 for none. */
  index: number;
  step: (by: 1 | -1) => void;
  /** Chooses the detail in which the hidden hits are shown. */
  showHidden: () => void;
  close: () => void;
  /** For who has gone from the field already. */
  leave: () => void;
  /** On a narrow page the field takes the tool bar's place when it is asked for. */
  shown: boolean;
  show: () => void;
  field: RefObject<HTMLInputElement | null>;
};

/**
 * Looks for the address's `q` in this session, marks it in the rows, and goes to what `at` points at
 * whenever that changes. `/` goes to the field, `n` and `N` from hit to hit.
 */
export function useFind(): Find {
  const { sessionId, choice, url, setUrl, store: page } = useSessionPage();
  const store = page.thread;
  const query = url.q ?? "";
  const input = useRef<HTMLInputElement>(null);
  const search = useSearch({ q: useDebounced(query, 120), session: sessionId });
  const searched = query.trim() !== "" && search.of === query.trimEnd() ? search.hits : NONE;
  const { shown: hits, hidden } = useMemo(
    () => shownHits(orderHits(searched), choice.detail),
    [searched, choice.detail],
  );
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
  const reveal = useFindMarks(query, marks);
  /** The field of the hit that was stepped to last: others may stand at its place. */
  const [field, setField] = useState<SearchField | null>(null);
  const { nextCursor, overflow, more } = search;
  useEffect(() => {
    if (phase === "done" && nextCursor !== null && !overflow) more();
  }, [phase, nextCursor, overflow, more]);
  const windows = useThreadState(store, ({ thread }) => thread?.windows ?? null);
  useLiveRefetch(windows, search.renew, phase === "done", RENEW_PAUSE_MS);
  const { at, goAgain } = useFoundPlace(query, field, reveal);
  const place = useMemo(() => parsePermalink(at), [at]);
  const index = findPlace(hits, place, field);

  const awaitedRef = useRef<AwaitedStep | null>(null);
  const isOnItsWay = searched === NONE || !complete;
  const step = (by: 1 | -1) => {
    awaitedRef.current = hits.length === 0 && isOnItsWay ? { by, query } : null;
    const from = index < 0 ? (by === 1 ? -1 : hits.length) : index;
    const hit = hits[(from + by + hits.length) % hits.length];
    if (!hit) return;
    setField(hit.field);
    const next = formatRowKey(hit.recordId, hit.block);
    // The address says nothing new where the reader has left the only hit, or another text of the line is the next.
    if (next === at && hit.agentId === choice.agent) goAgain();
    else setUrl({ at: next, agent: hit.agentId });
  };
  useAwaitedStep(awaitedRef, query, { hits, isOnItsWay, step });
  const [shown, setShown] = useState(false);
  const show = () => {
    // At once, so that a touch keyboard comes up with it.
    flushSync(() => setShown(true));
    input.current?.select();
  };
  const leave = () => {
    awaitedRef.current = null;
    setShown(false);
    setUrl({ q: null });
  };
  const close = () => {
    leave();
    focusRow();
  };
  const has = query !== "";
  const isUncovered = () => !page.isCovered();
  const canStep = () => has && isUncovered();
  useKeys([
    { keys: ["/"], label: "find in this session", group: "Find", when: isUncovered, run: show },
    { keys: ["n"], label: "next match", group: "Find", when: canStep, run: () => step(1) },
    { keys: ["N"], label: "previous match", group: "Find", when: canStep, run: () => step(-1) },
  ]);

  return {
    query,
    setQuery: (next) => setUrl({ q: next || null }),
    search,
    hits,
    hidden,
    index,
    step,
    showHidden: () => setUrl({ detail: "everything", fold: null }),
    close,
    leave,
    shown: shown || has,
    show,
    field: input,
  };
}

/** Enter right behind the last letter means the first hit of what was typed, which is on its way. */
type AwaitedStep = { by: 1 | -1; query: string };

/** Makes the step that was asked for before there was a hit, when there is one. `isOnItsWay`: more hits may come. */
function useAwaitedStep(
  awaitedRef: RefObject<AwaitedStep | null>,
  query: string,
  { hits, isOnItsWay, step }: { hits: readonly SearchHit[]; isOnItsWay: boolean; step: (by: 1 | -1) => void },
): void {
  const stepAwaited = useEffectEvent(() => {
    const press = awaitedRef.current;
    awaitedRef.current = null;
    if (press?.query === query && hits.length > 0) step(press.by);
  });
  useEffect(() => {
    if (hits.length > 0 || !isOnItsWay) stepAwaited();
  }, [hits, isOnItsWay]);
}

const NONE: readonly SearchHit[] = [];
/** Between two searches of a session that grows while it is read. */
const RENEW_PAUSE_MS = 1_000;
