import { useEffect, useRef, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { onMovedByHand } from "@/components/ui/by-hand";
import { HitReveal } from "./hit-reveal";
import { type HitTarget, rangesInRows, type SearchMarks } from "./row-marks";

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
export function useFindMarks(query: string, marks: SearchMarks | null): (hit: HitTarget) => void {
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
