import { clsx } from "clsx";
import { type MouseEvent, memo, useRef } from "react";
import { RowAnnotationMarks } from "@/components/annotations/row-annotations";
import { rowData } from "@/components/thread/row-data";
import { rowLabel } from "@/components/thread/rows/row-line";
import { useIsInSelectedTime } from "@/components/thread/selected-time";
import { ThreadRow } from "@/components/thread/thread-row";
import { useThreadState, useThreadStore } from "@/components/thread/use-thread";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { Row } from "@/lib/wire/rows";
import { isClosedLine } from "./use-row-list";

/**
 * A row at its place in the list, or the space that it will take. Whether it is open or selected it asks of its thread: what
 * the reader does to a row draws that one alone.
 */
export const ThreadItem = memo(function ThreadItem({
  index,
  total,
  apartPx,
  placeholderPx,
  wasClosed,
  coversHeader,
  isFirstNew,
  parallel,
  row,
  turnMs,
  measure,
}: {
  index: number;
  total: number;
  /** Where it stands when it is not one of those in the page's flow. */
  apartPx: number | null;
  /** How high it is while it is not loaded. */
  placeholderPx: number | null;
  /** A closed line that the list still knows as open. */
  wasClosed: boolean;
  /** A turn that comes up: its header covers the one that sticks to the top. */
  coversHeader: boolean;
  /** The reader has seen all above it, and nothing from here on. */
  isFirstNew: boolean;
  parallel: ParallelPart;
  row: Row | undefined;
  turnMs: number | null;
  measure: (element: HTMLElement | null) => void;
}) {
  const store = useThreadStore();
  const isOpen = useThreadState(store, ({ open }) => row !== undefined && open.has(row.key));
  const isSelected = useThreadState(store, ({ position }) => position.selected === index);
  // One of several that are selected.
  const isChosen = useThreadState(store, ({ chosenFrom, position }) =>
    isBetween(index, chosenFrom?.index ?? null, position.selected),
  );
  const isInSelectedTime = useIsInSelectedTime(row);
  const isMeasured = useIsMeasured(row, isOpen, wasClosed);
  return (
    <article
      ref={isMeasured ? measure : undefined}
      data-index={index}
      {...rowData(row)}
      data-closed={wasClosed || undefined}
      aria-label={labelHidden(row && rowLabel(row))}
      aria-posinset={index + 1}
      aria-setsize={total}
      aria-busy={row === undefined}
      tabIndex={isSelected ? 0 : -1}
      data-chosen={isChosen || undefined}
      onClickCapture={(event) => extendOnShift(event, () => store.extendTo(index))}
      onClick={({ currentTarget }) => {
        store.selectIndex(index);
        keepFocusIn(currentTarget);
      }}
      className={clsx(
        "group/row outline-none",
        isChosen && "bg-sel-faint [--ground:var(--sel-faint)]",
        apartPx === null ? "relative" : "absolute inset-x-0 top-0",
        coversHeader && "z-4",
      )}
      // Even where it moves nothing: what a row paints is then kept while others come and go.
      style={{
        transform: `translateY(${apartPx ?? 0}px)`,
        height: placeholderPx ?? undefined,
      }}
    >
      {isFirstNew && <FirstNewLine />}
      {isInSelectedTime && <SelectedTimeLine />}
      {parallel && <ParallelLine part={parallel} />}
      {row?.run !== undefined && row.kind !== "run" && <RunLine />}
      {row && <RowAnnotationMarks row={row} selected={isSelected} />}
      {row ? <ThreadRow row={row} turnMs={turnMs} open={isOpen} selected={isSelected} /> : <Placeholder />}
    </article>
  );
});

/** Whether the list is told how high a row is: of one that is as high as the list takes it to be, it need not be. */
function useIsMeasured(row: Row | undefined, isOpen: boolean, wasClosed: boolean): boolean {
  // A line that has been open is measured from then on, or the list would not hear that it was closed.
  const wasMeasured = useRef(false);
  if (row && (wasClosed || !isClosedLine(row, isOpen))) wasMeasured.current = true;
  // Only what is loaded is measured: a placeholder's height is the list's own guess, too.
  return row !== undefined && wasMeasured.current;
}

/** A click with Shift selects all rows up to that one: it is none on what is in the row, and selects no text up to there. */
function extendOnShift(event: MouseEvent<HTMLElement>, extend: () => void): void {
  if (!event.shiftKey || (event.target as Element).closest("a, [data-takes-shift]")) return;
  event.preventDefault();
  event.stopPropagation();
  window.getSelection()?.removeAllRanges();
  extend();
}

function isBetween(index: number, from: number | null, to: number | null): boolean {
  if (from === null || to === null) return false;
  return index >= Math.min(from, to) && index <= Math.max(from, to);
}

/** What was pressed in a row, as to show what was left out of a text, may be gone then: the focus stays in the row. */
function keepFocusIn(row: HTMLElement): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (document.activeElement === document.body) row.focus({ preventScroll: true });
    }),
  );
}

/** A line above the first row that was written while the reader did not look. */
function FirstNewLine() {
  return (
    <span className="pointer-events-none absolute inset-x-0 top-0 z-2 border-t border-accent">
      <span className="absolute right-3 -translate-y-1/2 bg-bg px-1 text-11 leading-none text-accent">
        new since you last looked
      </span>
    </span>
  );
}

/** A line at the edge of the rows of the part of the time that is selected. */
function SelectedTimeLine() {
  return (
    <span
      title="In the selected part of the session"
      className="pointer-events-none absolute inset-y-0 left-0 z-1 border-l-3 border-accent"
    >
      <span className="sr-only">In the selected part of the session</span>
    </span>
  );
}

/** A line at the left of the rows that an open run shows. */
function RunLine() {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 left-[calc(var(--rail)-4px)] z-1 border-l border-line-2"
    />
  );
}

/** A bracket at the left of calls that were asked for together. */
function ParallelLine({ part }: { part: NonNullable<ParallelPart> }) {
  return (
    <span
      aria-hidden="true"
      title="Parallel calls"
      className={clsx(
        "pointer-events-none absolute left-[calc(var(--rail)-7px)] z-1 w-1 border-l border-line-3",
        part === "first" && "top-[calc(var(--row)/2)] bottom-0 rounded-tl-1 border-t",
        part === "middle" && "inset-y-0",
        part === "last" && "top-0 h-[calc(var(--row)/2)] rounded-bl-1 border-b",
      )}
    />
  );
}

/** Holds the row's place: the spine, a dot and two bars, still. */
function Placeholder() {
  return (
    <div className="grid h-row grid-cols-[var(--rail)_60px_1fr] items-center gap-x-2">
      <span className="relative h-full">
        <span className="absolute inset-y-0 left-(--spine-x) -ml-px border-l-2 border-line-2" />
      </span>
      <span className="h-2 rounded-[2px] bg-raised" />
      <span className="h-2 w-2/5 rounded-[2px] bg-raised" />
    </div>
  );
}

/** Where a call stands among those that its message asked for together; `null` for one that stands alone. */
export type ParallelPart = "first" | "middle" | "last" | null;

/** By the rows above and below: calls of one message stand together, whatever order their results came in. */
export function parallelPart(
  above: Row | undefined,
  row: Row | undefined,
  below: Row | undefined,
): ParallelPart {
  const message = messageOf(row);
  if (message === null) return null;
  const joinsAbove = messageOf(above) === message;
  const joinsBelow = messageOf(below) === message;
  if (joinsAbove) return joinsBelow ? "middle" : "last";
  return joinsBelow ? "first" : null;
}

function messageOf(row: Row | undefined): string | null {
  return row?.kind === "tool" ? (row.messageId ?? null) : null;
}
