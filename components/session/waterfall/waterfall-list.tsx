import { memo, type RefObject, useId } from "react";
import { formatRow, type RowTexts } from "./row-words";
import type { WaterfallRow } from "./waterfall-model";

/** How many lines before and after the selected one are in the DOM. */
const NEIGHBOURS = 12;

/** The chart for assistive technology, which also holds the focus for its keys: its lines as options, those around the selected one. */
export const WaterfallList = memo(function WaterfallList({
  rows,
  selected,
  texts,
  nowMs,
  ref,
  onFocus,
}: {
  rows: readonly WaterfallRow[];
  selected: number;
  texts: RowTexts;
  nowMs: number | null;
  ref: RefObject<HTMLDivElement | null>;
  onFocus: (focused: boolean) => void;
}) {
  const id = useId();
  const from = Math.max(0, selected - NEIGHBOURS);
  return (
    <div
      ref={ref}
      role="listbox"
      aria-label="Steps by time"
      tabIndex={0}
      aria-activedescendant={`${id}-${selected}`}
      onFocus={() => onFocus(true)}
      onBlur={() => onFocus(false)}
      // The canvas draws the focus frame around the selected line, since that is what the keys move.
      className="pointer-events-none absolute inset-0 z-2 outline-none!"
    >
      <div className="sr-only">
        {rows.slice(from, selected + NEIGHBOURS + 1).map((row, nth) => (
          <div
            key={row.key}
            id={`${id}-${from + nth}`}
            role="option"
            tabIndex={-1}
            aria-posinset={from + nth + 1}
            aria-setsize={rows.length}
            aria-selected={from + nth === selected}
          >
            {formatRow(row, texts, nowMs)}
          </div>
        ))}
      </div>
    </div>
  );
});
