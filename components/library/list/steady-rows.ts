import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";

/**
 * Keeps what is on screen where it is when the one row moves away by which the list is held: the session at the upper
 * edge goes on and so stands at the top of the list, where the virtual list would follow it. Most rows on screen say how
 * far the list has to be scrolled.
 * @param topPx where the box was before the virtual list has moved it
 */
export function useSteadyRows<Item extends { key: string }>(
  box: RefObject<HTMLElement | null>,
  items: readonly Item[],
  heightOf: (item: Item) => number,
  topPx: RefObject<number>,
): void {
  const starts = useMemo(() => startsOf(items, heightOf), [items, heightOf]);
  const before = useRef(starts);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = starts;
    const from = topPx.current;
    if (!box.current || old === starts || from === 0) return;
    const to = from + box.current.clientHeight;
    const movedPx: number[] = [];
    for (const [key, px] of old) {
      const now = px >= from && px < to ? starts.get(key) : undefined;
      if (now !== undefined) movedPx.push(now - px);
    }
    movedPx.sort((one, other) => one - other);
    const byPx = movedPx[movedPx.length >> 1];
    if (byPx !== undefined) box.current.scrollTo(0, from + byPx);
  }, [box, starts, topPx]);
}

/** How far below the list's top each item begins. */
function startsOf<Item extends { key: string }>(
  items: readonly Item[],
  heightOf: (item: Item) => number,
): Map<string, number> {
  let px = 0;
  const starts = new Map<string, number>();
  for (const item of items) {
    starts.set(item.key, px);
    px += heightOf(item);
  }
  return starts;
}
