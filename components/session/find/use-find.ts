import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type Search, useSearch } from "@/components/search/use-search";
import { useSessionPage } from "@/components/session/session-store";
import { isRecordHidden } from "@/components/thread/thread-position";
import { useLiveRefetch, useThreadState } from "@/components/thread/use-thread";
import { onMovedByHand } from "@/components/ui/by-hand";
import { focusRow } from "@/components/ui/main-focus";
import { useKeys } from "@/lib/client/key-registry";
import { parsePermalink } from "@/lib/client/session-url";
import { useDebounced } from "@/lib/client/use-debounced";
import { wantedWords } from "@/lib/query/text-marks";
import { formatRowKey, parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { detailOfField, isWithin, type SearchField, type SearchHit } from "@/lib/wire/search";
import { HitReveal } from "./hit-reveal";
import { type HitTarget, rangesInRows, type SearchMarks, searchMarks } from "./row-marks";

/** Find in session: what is looked for, the hits in the thread's order, and the way from one to the next. */
export type Find = {
  query: string;
  setQuery: (query: string) => void;
  search: Search;
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
  // Under the graph the address names what is selected there. It moves the thread when the thread is back.
  const isUnderGraph = url.view === "graph";
  const at = isUnderGraph ? null : url.at;
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
  const reveal = useHighlight(query, marks);
  /** The field of the hit that was stepped to last: others may stand at its place. */
  const [field, setField] = useState<SearchField | null>(null);
  const { nextCursor, overflow, more } = search;
  useEffect(() => {
    if (phase === "done" && nextCursor !== null && !overflow) more();
  }, [phase, nextCursor, overflow, more]);
  const windows = useThreadState(store, ({ thread }) => thread?.windows ?? null);
  useLiveRefetch(windows, search.renew, phase === "done", RENEW_PAUSE_MS);
  const place = useMemo(() => parsePermalink(at), [at]);
  const index = findPlace(hits, place, field);

  const ready = useThreadState(store, ({ thread }) => thread?.choice.key === choice.key);
  /** The place that was gone to last, and whether the page has opened at its first. */
  const gone = useRef<string | null>(null);
  const started = useRef(false);
  const follow = useEffectEvent(async (target: string, first: boolean) => {
    const { recordId, block } = parsePermalink(target) ?? {};
    if (!recordId) return;
    // Whoever comes back is where they were, in the view that they had, with the rows open that were.
    if (first && store.wasRestored()) return;
    if (query === "")
      return first ? undefined : void (await store.goTo({ record: recordId, block: block ?? null }));
    if (await isRecordHidden(sessionId, choice, recordId)) {
      if (!first && gone.current !== target) return;
      // Comes back here when the thread that shows it is there.
      gone.current = null;
      const isFolded =
        choice.fold !== null && !(await isRecordHidden(sessionId, { ...choice, fold: null }, recordId));
      return setUrl(isFolded ? { fold: null } : { detail: "everything", fold: null });
    }
    // The thread itself opens at the place that the page came with.
    if (first) await store.whenDrawn();
    // No call is in a folded run: where one looks for something, every call has its row.
    const row = first ? store.selected()?.row : await store.goTo({ record: recordId, block: block ?? null });
    // Meanwhile the reader has gone on to another hit.
    if (gone.current !== target) return;
    // A hit inside a closed row would not be seen.
    if (row && row.kind !== "turn") store.openRow(row.key);
    if (row) reveal({ recordId, block: block ?? null, field });
  });
  /** How often the hit at the same place was asked for again. */
  const [again, setAgain] = useState(0);
  const asked = useRef(again);
  useEffect(() => {
    if (!ready) return;
    const first = !started.current;
    started.current = true;
    // The place that was gone to before the graph is not gone to again behind it: the reader may have gone on from it.
    if (isUnderGraph) return;
    if (gone.current === at && asked.current === again) return;
    gone.current = at;
    asked.current = again;
    if (at !== null) void follow(at, first);
  }, [ready, at, again, isUnderGraph]);

  /** Enter right behind the last letter means the first hit of what was typed, which is on its way. */
  const awaited = useRef<{ by: 1 | -1; query: string } | null>(null);
  const isOnItsWay = searched === NONE || !complete;
  const step = (by: 1 | -1) => {
    awaited.current = hits.length === 0 && isOnItsWay ? { by, query } : null;
    const from = index < 0 ? (by === 1 ? -1 : hits.length) : index;
    const hit = hits[(from + by + hits.length) % hits.length];
    if (!hit) return;
    setField(hit.field);
    const next = formatRowKey(hit.recordId, hit.block);
    // The address says nothing new where the reader has left the only hit, or another text of the line is the next.
    if (next === at && hit.agentId === choice.agent) setAgain(again + 1);
    else setUrl({ at: next, agent: hit.agentId });
  };
  const stepAwaited = useEffectEvent(() => {
    const press = awaited.current;
    awaited.current = null;
    if (press?.query === query && hits.length > 0) step(press.by);
  });
  useEffect(() => {
    if (hits.length > 0 || !isOnItsWay) stepAwaited();
  }, [hits, isOnItsWay]);
  const [shown, setShown] = useState(false);
  const show = () => {
    // At once, so that a touch keyboard comes up with it.
    flushSync(() => setShown(true));
    input.current?.select();
  };
  const leave = () => {
    awaited.current = null;
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

const NONE: readonly SearchHit[] = [];
/** Between two searches of a session that grows while it is read. */
const RENEW_PAUSE_MS = 1_000;

/** A session's hits as one meets them going down: the main thread first, then its agents, each by its log's order. */
export function orderHits(hits: readonly SearchHit[]): SearchHit[] {
  const places = new Map(hits.map((hit) => [hit, parseRecordId(hit.recordId)]));
  return hits.toSorted((left, right) => {
    const [leftPlace, rightPlace] = [places.get(left), places.get(right)];
    return (
      Number(left.agentId !== null) - Number(right.agentId !== null) ||
      (left.agentId ?? "").localeCompare(right.agentId ?? "") ||
      (leftPlace?.file ?? "").localeCompare(rightPlace?.file ?? "") ||
      (leftPlace?.offset ?? 0) - (rightPlace?.offset ?? 0) ||
      left.block - right.block
    );
  });
}

/** Hits that a view shows, and how many it leaves out. Titles stand in no row. */
export function shownHits(
  hits: readonly SearchHit[],
  detail: Detail,
): { shown: SearchHit[]; hidden: number } {
  const inRows = hits.filter(({ field }) => field !== "title");
  const shown = inRows.filter(({ field }) => isWithin(detailOfField(field), detail));
  return { shown, hidden: inRows.length - shown.length };
}

/** The hit that a link points at, of several there the one of this field; -1 if it is not among them. */
export function findPlace(
  hits: readonly SearchHit[],
  place: { recordId: RecordId; block: number | null } | null,
  field: SearchField | null = null,
): number {
  if (!place) return -1;
  const isThere = (hit: SearchHit) =>
    hit.recordId === place.recordId && hit.block === (place.block ?? hit.block);
  const ofField = hits.findIndex((hit) => isThere(hit) && hit.field === field);
  const exact = ofField >= 0 ? ofField : hits.findIndex(isThere);
  return exact >= 0 ? exact : hits.findIndex(({ recordId }) => recordId === place.recordId);
}

/** The name that globals.css styles. */
const HIGHLIGHT = "find";

/** Marking that took longer is not made again with the next frame, while a long text is still being drawn. */
const MAX_MARKING_MS = 12;

/**
 * Marks what was found in the rows on screen, through the browser's highlight registry: nothing in the page is
 * changed, so rows keep drawing themselves. Follows them as they come and go. A browser without the registry marks
 * nothing.
 * @returns shows a hit, as soon as its row is drawn: its first mark comes into view, and is the current one
 */
function useHighlight(query: string, marks: SearchMarks | null): (hit: HitTarget) => void {
  const newest = useRef(marks);
  newest.current = marks;
  const { store } = useSessionPage();
  const [reveal] = useState(
    () =>
      new HitReveal(
        () => newest.current,
        (px) => store.thread.list.current?.scrollBy(px),
      ),
  );
  useEffect(() => {
    if (!marks || !("highlights" in CSS)) return;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pauseMs = 0;
    const mark = () => {
      frame = 0;
      const fromMs = performance.now();
      CSS.highlights.set(HIGHLIGHT, new Highlight(...rangesInRows(document, marks, reveal.target)));
      const tookMs = performance.now() - fromMs;
      pauseMs = tookMs > MAX_MARKING_MS ? tookMs * 4 : 0;
      reveal.touched();
    };
    const later = () => {
      if (frame !== 0) return;
      clearTimeout(timer);
      if (pauseMs === 0) frame = requestAnimationFrame(mark);
      else timer = setTimeout(mark, pauseMs);
    };
    const observer = new MutationObserver(later);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      CSS.highlights.delete(HIGHLIGHT);
    };
  }, [marks, reveal]);
  // Not with the marks: a search that is made again, since the session grows, has none for a moment.
  useEffect(() => () => reveal.clear(), [query, reveal]);
  useEffect(() => onMovedByHand(() => reveal.stop()), [reveal]);
  return (hit) => reveal.show(hit);
}
