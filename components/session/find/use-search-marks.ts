import { useEffect } from "react";
import { findRanges } from "@/components/search/search-words";

/** The name that globals.css styles. */
const HIGHLIGHT = "find";
const INLINE = new Set(["SPAN", "CODE", "A", "EM", "STRONG", "B", "I", "S", "DEL", "INS", "MARK", "TIME"]);
/** A row with more than this is marked as far as this. */
const MOST_CHARACTERS = 400_000;

/**
 * Marks what a pattern finds in the rows on screen, through the browser's highlight registry: nothing in
 * the page is changed, so rows keep drawing themselves. Follows them as they come and go. A browser
 * without the registry marks nothing.
 */
export function useSearchMarks(pattern: RegExp | null, rows: string): void {
  useEffect(() => {
    if (!pattern || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = () => {
      frame = 0;
      const ranges = [...document.querySelectorAll(rows)].flatMap((row) => rangesIn(row, pattern));
      CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
    };
    const later = () => {
      frame ||= requestAnimationFrame(mark);
    };
    const observer = new MutationObserver(later);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(HIGHLIGHT);
    };
  }, [pattern, rows]);
}

/** Finds words although syntax colours and emphasis cut them into several nodes, but not across blocks. */
function rangesIn(row: Element, pattern: RegExp): Range[] {
  const nodes: { node: Node; from: number }[] = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && text.length < MOST_CHARACTERS; node = walker.nextNode()) {
    const own = blockOf(node, row);
    if (block && own !== block) text += "\n\u0000\n";
    block = own;
    nodes.push({ node, from: text.length });
    text += node.nodeValue ?? "";
  }
  return findRanges(text, pattern).flatMap(([from, to]) => {
    const start = nodes.findLast((one) => one.from <= from);
    const end = nodes.findLast((one) => one.from < to);
    if (!start || !end) return [];
    const range = document.createRange();
    range.setStart(start.node, Math.min(from - start.from, start.node.nodeValue?.length ?? 0));
    range.setEnd(end.node, Math.min(to - end.from, end.node.nodeValue?.length ?? 0));
    return [range];
  });
}

function blockOf(node: Node, row: Element): Element {
  let element = node.parentElement ?? row;
  while (element !== row && INLINE.has(element.tagName) && element.parentElement)
    element = element.parentElement;
  return element;
}
