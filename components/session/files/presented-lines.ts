import type { Virtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";
import { usePresentedView } from "@/components/present/presented-view";
import type { ViewStanding } from "@/lib/wire/presence";
import type { FileItem } from "./file-versions";

type FileLines = {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** What the virtualizer counts. */
  items: readonly FileItem[];
  /** Which of them is pointed at, -1 for none. */
  target: number;
};

/**
 * Presents where the reader of a file's text is, and takes whoever follows there: by the line at the upper edge, or by the
 * gap there. The line that is pointed at stays in view for who follows in a lower window.
 */
export function usePresentedLines(
  box: RefObject<HTMLElement | null>,
  { virtualizer, items, target }: FileLines,
): void {
  const isInView = (index: number) => {
    const { current } = box;
    const item = virtualizer.measurementsCache[index];
    if (!current || !item) return false;
    return item.start >= current.scrollTop && item.end <= current.scrollTop + current.clientHeight;
  };
  const standing = (): ViewStanding | null => {
    const topPx = box.current?.scrollTop ?? 0;
    const first = virtualizer.getVirtualItemForOffset(topPx);
    const item = first && items[first.index];
    if (!item) return null;
    const above = Math.min(1, Math.max(0, (topPx - first.start) / first.size));
    return { change: null, line: lineOf(item), above, showsLine: isInView(target) };
  };
  const stand = ({ line, above, showsLine }: ViewStanding) => {
    const index = items.findIndex((item) => line !== null && lineOf(item) >= line);
    const item = virtualizer.measurementsCache[index];
    if (item) box.current?.scrollTo(0, item.start + item.size * above);
    if (showsLine && target !== -1 && !isInView(target)) virtualizer.scrollToIndex(target, { align: "auto" });
  };
  usePresentedView(box, { standing, stand });
}

const lineOf = (item: FileItem) => (item.kind === "line" ? item.line : item.gap.fromLine);
