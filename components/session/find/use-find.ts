import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { detailFor } from "@/components/search/search-facets";
import { type Search, useSearch } from "@/components/search/use-search";
import { useSessionPage } from "@/components/session/session-store";
import { isHidden } from "@/components/thread/thread-position";
import { useLiveRefetch, useThreadState } from "@/components/thread/use-thread";
import { useKeys } from "@/lib/client/key-registry";
import { parsePermalink } from "@/lib/client/session-url";
import { useDebounced } from "@/lib/client/use-debounced";
import { wantedWords } from "@/lib/query/text-marks";
import { formatRowKey, parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import type { SearchHit } from "@/lib/wire/search";
import { rangesInRows, type SearchMarks, searchMarks } from "./row-marks";

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
  close: () => void;
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
  // What is selected in the graph moves the thread when the thread is back.
  const at = url.view === "graph" ? null : url.at;
  const query = url.q ?? "";
  const field = useRef<HTMLInputElement>(null);
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
  const reveal = useHighlight(marks);
  const { nextCursor, overflow, more } = search;
  useEffect(() => {
    if (phase === "done" && nextCursor !== null && !overflow) more();
  }, [phase, nextCursor, overflow, more]);
  const windows = useThreadState(store, ({ thread }) => thread?.windows ?? null);
  useLiveRefetch(windows, search.renew, phase === "done", RENEW_PAUSE_MS);
  const place = useMemo(() => parsePermalink(at), [at]);
  const index = findPlace(hits, place);

  const ready = useThreadState(store, ({ thread }) => thread?.choice.key === choice.key);
  /** The place that was gone to last, and whether the page has opened at its first. */
  const gone = useRef<string | null>(null);
  const started = useRef(false);
  const follow = useEffectEvent(async (target: string, first: boolean) => {
    const { recordId, block } = parsePermalink(target) ?? {};
    if (!recordId) return;
    if (query === "")
      return first ? undefined : void (await store.goTo({ record: recordId, block: block ?? null }));
    if (first && (await isHidden(sessionId, choice, recordId))) {
      // Comes back here when the whole thread is there.
      gone.current = null;
      return setUrl({ detail: "everything", fold: null });
    }
    // The thread itself opens at the place that the page came with.
    if (first) await store.whenDrawn();
    const row = first ? store.selected()?.row : await store.goTo({ record: recordId, block: block ?? null });
    // A hit inside a closed row would not be seen.
    if (row && row.kind !== "turn") store.openRow(row.key);
    if (row) reveal(row.recordId);
  });
  useEffect(() => {
    if (!ready) return;
    const first = !started.current;
    started.current = true;
    if (gone.current === at) return;
    gone.current = at;
    if (at !== null) void follow(at, first);
  }, [ready, at]);

  const awaited = useRef<1 | -1 | null>(null);
  const step = (by: 1 | -1) => {
    // Enter right behind the last letter means the first hit, which is on its way.
    awaited.current = hits.length === 0 ? by : null;
    const from = index < 0 ? (by === 1 ? -1 : hits.length) : index;
    const hit = hits[(from + by + hits.length) % hits.length];
    if (!hit) return;
    setUrl({ at: formatRowKey(hit.recordId, hit.block), agent: hit.agentId });
  };
  const stepAwaited = useEffectEvent(() => {
    if (awaited.current !== null) step(awaited.current);
  });
  useEffect(() => {
    if (hits.length > 0) stepAwaited();
  }, [hits]);
  const [shown, setShown] = useState(false);
  const show = () => {
    // At once, so that a touch keyboard comes up with it.
    flushSync(() => setShown(true));
    field.current?.select();
  };
  const close = () => {
    awaited.current = null;
    setShown(false);
    setUrl({ q: null });
    field.current?.blur();
  };
  const has = query !== "";
  const isUncovered = () => !page.isCovered();
  const canStep = () => has && isUncovered();
  useKeys("find", [
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
    close,
    shown: shown || has,
    show,
    field,
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
  const shown = inRows.filter(({ field }) => detailFor(field, detail) === detail);
  return { shown, hidden: inRows.length - shown.length };
}

/** The hit that a link points at, -1 if it is not among them. */
export function findPlace(
  hits: readonly SearchHit[],
  place: { recordId: RecordId; block: number | null } | null,
): number {
  if (!place) return -1;
  const exact = hits.findIndex(
    (hit) => hit.recordId === place.recordId && hit.block === (place.block ?? hit.block),
  );
  return exact >= 0 ? exact : hits.findIndex(({ recordId }) => recordId === place.recordId);
}

/** The name that globals.css styles. */
const HIGHLIGHT = "find";

/**
 * Marks what was found in the rows on screen, through the browser's highlight registry: nothing in the page is
 * changed, so rows keep drawing themselves. Follows them as they come and go. A browser without the registry marks
 * nothing.
 */
function useHighlight(marks: SearchMarks | null): (recordId: RecordId) => void {
  /** The row whose first mark is to be seen, as soon as it is drawn. */
  const revealed = useRef<RecordId | null>(null);
  const again = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (!marks || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = () => {
      frame = 0;
      const ranges = rangesInRows(document, marks);
      CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
      if (revealed.current !== null && revealSideways(ranges, revealed.current)) revealed.current = null;
    };
    const later = () => {
      frame ||= requestAnimationFrame(mark);
    };
    const observer = new MutationObserver(later);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    again.current = later;
    mark();
    return () => {
      again.current = () => undefined;
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(HIGHLIGHT);
    };
  }, [marks]);
  return (recordId) => {
    revealed.current = recordId;
    again.current();
  };
}

/**
 * Scrolls long lines of a row so that its first mark in them is seen; up and down the list scrolls by itself.
 * @returns false while the row's opened block is not drawn
 */
function revealSideways(ranges: readonly Range[], recordId: RecordId): boolean {
  const inBlock = ranges.find(({ startContainer }) => {
    const element = startContainer.parentElement;
    const row = element?.closest<HTMLElement>("[data-record-id]");
    return row?.dataset.recordId === recordId && element?.closest(".overflow-x-auto");
  });
  const box = inBlock?.startContainer.parentElement?.closest(".overflow-x-auto");
  if (!inBlock || !box) return false;
  const mark = inBlock.getBoundingClientRect();
  const { left, right, width } = box.getBoundingClientRect();
  if (mark.left < left || mark.right > right) box.scrollLeft += mark.left - left - width / 3;
  return true;
}
