import { Listeners } from "@/lib/client/listeners";

/*
 * The bars with buttons at the lower edge of the page, of a view, a pane or a dialog. A toast stands above them: over one,
 * it would hide what its reader is about to use.
 */
const bars = new Set<Element>();
const listeners = new Listeners();

/** The `ref` of a bar at a lower edge: keeps it free of toasts for as long as it is there. */
export function bottomBar(bar: Element | null): (() => void) | undefined {
  if (!bar) return undefined;
  bars.add(bar);
  listeners.tell();
  return () => {
    bars.delete(bar);
    listeners.tell();
  };
}

/** Has `listener` told when a bar comes or goes, before the page is laid out for it, until the returned function is called. */
export const onBottomBars: (listener: () => void) => () => void = listeners.add;

/** The rectangles of the bars that are shown. */
export function bottomBarRects(): DOMRect[] {
  return [...bars].map((bar) => bar.getBoundingClientRect()).filter(({ height }) => height > 0);
}

type Rect = Pick<DOMRect, "left" | "right" | "top" | "bottom">;

const GAP_PX = 8;

/**
 * How far something must be moved up from `box`, in pixels, to lie on none of the bars; 0 where it lies on none as it is.
 */
export function roomAbove(box: Rect, rects: readonly Rect[]): number {
  let up = 0;
  // From below: above one of them it may lie on the next.
  for (const bar of [...rects].sort((a, b) => b.top - a.top)) {
    const isBeside = bar.right <= box.left || bar.left >= box.right;
    const isOver = bar.top < box.bottom - up && bar.bottom > box.top - up;
    if (isOver && !isBeside) up = box.bottom - bar.top + GAP_PX;
  }
  return up;
}
