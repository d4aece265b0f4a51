import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { listPlace, rememberPlace, useListPlace } from "@/components/ui/list-place";
import { formatCount } from "@/lib/format/format";

/** Rows are added in groups of this size: usage by session may have tens of thousands. */
const PAGE = 200;
/** The minimum height of a row. */
const MIN_ROW_PX = 20;

/** How many rows of a list are drawn, and the function that draws more of them. */
export type ShownRows = { count: number; more: (of: number) => ReactNode };

/**
 * The rows that are drawn of a list: as many as reach to the reader's position, and more as they ask for them.
 * @param list distinguishes the lists of the page
 */
export function useShownRows(list: string): ShownRows {
  const [drawn, setDrawn] = useState({ list, count: firstCount(list) });
  const count = drawn.list === list ? drawn.count : firstCount(list);
  const more = (of: number) =>
    count < of && (
      <p className="p-2">
        <Button onClick={() => setDrawn({ list, count: count + PAGE })}>
          Show {formatCount(Math.min(PAGE, of - count))} more of {formatCount(of - count)}
        </Button>
      </p>
    );
  return { count, more };
}

/**
 * The scrolling part of the page. A reader who comes back to it from one of its rows is at the former position, with as
 * many rows drawn, and the focus on the link that was followed. Another list begins at its top, and leaves the focus where it is.
 * @param list distinguishes the lists of the page
 * @param count how many of its rows are drawn
 */
export function UsageScroll({
  label,
  list,
  count,
  children,
}: {
  label: string;
  list: string;
  count: number;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const keepLink = ({ target }: FocusEvent) => {
    const cursorKey = target.closest("a")?.getAttribute("href") ?? null;
    if (cursorKey !== listPlace("usage", list).cursorKey) rememberPlace("usage", list, { cursorKey });
  };
  return (
    <div
      ref={box}
      className="min-h-0 flex-1 overflow-auto"
      role="region"
      aria-label={label}
      tabIndex={0}
      onFocus={keepLink}
    >
      {children}
      <Place key={list} list={list} box={box} count={count} />
    </div>
  );
}

/** As many rows as reach to the reader's position. */
function firstCount(list: string): number {
  return PAGE * (1 + Math.floor(listPlace("usage", list).offsetPx / (PAGE * MIN_ROW_PX)));
}

/** Keeps the position of one list in the scrolling box. */
function Place({ list, box, count }: { list: string; box: RefObject<HTMLDivElement | null>; count: number }) {
  const { scrolled, giveUp } = useListPlace({ view: "usage", list }, box, { totalPx: count, complete: true });
  useEffect(() => {
    const { cursorKey } = listPlace("usage", list);
    // Who has the focus elsewhere by now keeps it there.
    if (cursorKey === null || document.activeElement !== document.body) return;
    const link = box.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(cursorKey)}"]`);
    link?.focus({ preventScroll: true });
  }, [box, list]);
  useEffect(() => {
    const scrolls = box.current;
    if (!scrolls) return;
    const onScroll = () => scrolled(scrolls.scrollTop);
    const goes = ["wheel", "pointerdown", "touchstart"] as const;
    scrolls.addEventListener("scroll", onScroll, { passive: true });
    for (const name of goes) scrolls.addEventListener(name, giveUp, { passive: true });
    return () => {
      scrolls.removeEventListener("scroll", onScroll);
      for (const name of goes) scrolls.removeEventListener(name, giveUp);
    };
  });
  return null;
}
