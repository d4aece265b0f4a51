import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { listPlace, useListPlace } from "@/components/ui/list-place";
import { formatCount } from "@/lib/format/format";

/** Rows are added so many at a time: usage by session may have tens of thousands. */
const PAGE = 200;
/** No row is lower. */
const MIN_ROW_PX = 20;

/** How many rows of a list are drawn, and what draws more of them. */
export type ShownRows = { count: number; more: (of: number) => ReactNode };

/**
 * What scrolls of the page. Whoever comes back to it from one of its rows is where they were, with as many rows drawn.
 * @param list what tells it from others of its page; it is to be its `key`, too
 */
export function UsageScroll({
  label,
  list,
  children,
}: {
  label: string;
  list: string;
  children: (rows: ShownRows) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(
    () => PAGE * (1 + Math.floor(listPlace("usage", list).offsetPx / (PAGE * MIN_ROW_PX))),
  );
  const { scrolled, giveUp } = useListPlace({ view: "usage", list }, box, { totalPx: count, complete: true });
  const more = (of: number) =>
    count < of && (
      <p className="p-2">
        <Button onClick={() => setCount(count + PAGE)}>
          Show {formatCount(Math.min(PAGE, of - count))} more of {formatCount(of - count)}
        </Button>
      </p>
    );
  return (
    <div
      ref={box}
      className="min-h-0 flex-1 overflow-auto"
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget }) => scrolled(currentTarget.scrollTop)}
      onWheel={giveUp}
      onPointerDown={giveUp}
      onTouchStart={giveUp}
    >
      {children({ count, more })}
    </div>
  );
}
