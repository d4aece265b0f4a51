import { defaultRangeExtractor } from "@tanstack/react-virtual";
import { type Ref, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import type { OpenThread } from "@/components/thread/open-thread";
import { TurnHeader } from "@/components/thread/rows/turn-header";
import type { PositionStore } from "@/components/thread/thread-position";
import { AHEAD_ROWS, type ThreadHandle, useThreadHandle } from "@/components/thread/use-thread-handle";
import { useThreadWindows } from "@/components/thread/use-thread-windows";
import { isFirstNew } from "./is-first-new";
import { isClosedLine, measureRow } from "./measure-row";
import { MissedHeader } from "./missed-header";
import { parallelPart } from "./parallel-part";
import { rowsInFlow } from "./rows-in-flow";
import { ThreadItem } from "./thread-item";
import { useHeldRow } from "./use-held-row";
import { useOpeningPlace } from "./use-opening-place";
import { useRowHeights } from "./use-row-heights";
import { useRowList } from "./use-row-list";
import { useTailSlack } from "./use-tail-slack";
import { useTurnHeaders } from "./use-turn-headers";

/** The list of rows. Only what is near the screen is in the page or in memory. */
export function ThreadView({
  thread,
  open,
  position,
  follows,
  seenMs,
  label,
  ref,
}: {
  thread: OpenThread;
  open: ReadonlySet<string>;
  position: PositionStore;
  /** Rows are being written: a reader at the end stays there. */
  follows: boolean;
  /** Rows after this time are new to the reader; `null` marks none. */
  seenMs: number | null;
  /** What a thread beside the page's own is called. */
  label?: string;
  ref: Ref<ThreadHandle>;
}) {
  const { windows, start } = thread;
  const { sessionId } = useThreadActions();
  const snapshot = useThreadWindows(windows);
  const scroller = useRef<HTMLElement>(null);
  const first = start.fork ? start.index + 1 : start.selected ? start.index : null;
  const [selected, setSelected] = useState<number | null>(first);
  const refocus = useRef(start.fork === true || start.focused === true);
  const Box = label === undefined ? "main" : "section";
  const { rowPx, turnPx } = useRowHeights();
  // Rows of the whole thread, in the place of its beginning, are not new ones.
  const drawn = useRef(thread);
  const goesOn = drawn.current === thread;
  const slackPx = useTailSlack(snapshot.total, rowPx, follows);

  const held = useHeldRow(open, scroller, windows, selected);
  const virtualizer = useRowList(held, {
    count: snapshot.total,
    getScrollElement: () => scroller.current,
    // One height for all that has not been measured: a guess that changed when a row arrives would
    // move what is below it without the list noticing.
    estimateSize: () => rowPx,
    measureElement: measureRow,
    overscan: 8,
    scrollPaddingStart: turnPx,
    scrollPaddingEnd: rowPx * 2,
    paddingEnd: rowPx * 3 + slackPx,
    anchorTo: follows ? "end" : "start",
    followOnAppend: follows && goesOn,
    scrollEndThreshold: rowPx * 3,
    // The selected row stays in the page wherever it is, so that it never loses the focus.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const shown = defaultRangeExtractor(range);
        if (selected === null || selected >= range.count || shown.includes(selected)) return shown;
        return [...shown, selected].sort((a, b) => a - b);
      },
      [selected],
    ),
  });

  useOpeningPlace(virtualizer, held, start, rowPx);

  const items = virtualizer.getVirtualItems();
  const top = virtualizer.scrollOffset ?? 0;
  const topIndex = virtualizer.getVirtualItemForOffset(top + 1)?.index ?? 0;
  const flow = rowsInFlow(items, topIndex);
  const bottom = top + (virtualizer.scrollRect?.height ?? 0);
  const lastIndex = virtualizer.getVirtualItemForOffset(bottom)?.index ?? topIndex;

  useEffect(() => {
    windows.want(topIndex - AHEAD_ROWS, lastIndex + AHEAD_ROWS);
  }, [windows, topIndex, lastIndex]);

  const topRow = windows.itemAt(topIndex);
  const topTurn = topRow?.turn ?? position.get().turn;
  const topStart = virtualizer.measurementsCache[topIndex]?.start ?? 0;
  // A prompt that begins right at the top has its own header there.
  const topIsHeader = topRow?.kind === "turn" && topStart >= top;
  const selectedKey = selected === null ? null : windows.itemAt(selected)?.key;
  const headers = useTurnHeaders(thread, snapshot);
  const topHeader = headers.of(topTurn);
  const total = snapshot.total;
  // `isAtEnd` would ask the page for its layout in the middle of a frame.
  const atEnd = bottom >= virtualizer.getTotalSize() - rowPx * 3;
  const seenRows = useRef(total);
  useEffect(() => {
    // A list that has become shorter is another one.
    if (atEnd || total < seenRows.current || drawn.current !== thread) seenRows.current = total;
    drawn.current = thread;
    const fresh = total - seenRows.current;
    position.set({ first: topIndex, last: lastIndex, total, turn: topTurn, selected, atEnd, fresh });
  }, [position, thread, topIndex, lastIndex, total, topTurn, selected, atEnd]);

  useLayoutEffect(() => {
    if (!refocus.current || selected === null) return;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-index="${selected}"]`);
    if (!element) return;
    refocus.current = false;
    // Who types into a field, as from hit to hit, goes on typing there.
    if (!(document.activeElement instanceof HTMLInputElement)) element.focus({ preventScroll: true });
  });

  useThreadHandle(ref, {
    windows,
    list: virtualizer,
    scroller,
    selected,
    select: (row) => {
      refocus.current = true;
      setSelected(row);
    },
    total,
    top,
    topIndex,
    lastIndex,
  });

  return (
    // Placed and contained: what changes in the list is laid out without the page around it.
    <div className="relative h-full min-w-0">
      <Box
        ref={scroller}
        tabIndex={0}
        aria-label={label ?? "Thread"}
        className="@container/thread absolute inset-0 overflow-x-hidden contain-strict print:static print:contain-none overflow-y-auto outline-none [--ground:var(--bg)] [--hover:var(--raised)] [overflow-anchor:none]"
      >
        {topHeader && !topIsHeader && (
          <div aria-hidden="true" className="sticky top-0 z-3 h-0">
            <TurnHeader facts={topHeader} selected={selectedKey === topHeader.key} />
          </div>
        )}
        {!topHeader && topTurn > 0 && thread.choice.agent === null && (
          <MissedHeader sessionId={sessionId} choice={thread.choice} turn={topTurn} onHeader={headers.add} />
        )}
        <div
          role="feed"
          aria-label="Rows"
          className="relative"
          // No height of its own: it grows with a row that turns out higher, without being drawn again.
          style={{ paddingTop: flow.start, paddingBottom: virtualizer.getTotalSize() - flow.end }}
        >
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-[calc(52px*var(--u)+20px)] w-[104px] border-x border-line @max-[720px]/thread:hidden max-sm:hidden"
          />
          {items.map(({ key, index, start, size }) => {
            const row = windows.itemAt(index);
            const before = windows.itemAt(index - 1);
            // What changes with a scroll is given to the rows alone that it changes.
            return (
              <ThreadItem
                key={key}
                index={index}
                total={total}
                apartPx={index < flow.first || index > flow.last ? start : null}
                placeholderPx={row ? null : size}
                wasClosed={row !== undefined && size !== rowPx && isClosedLine(row, open)}
                isPlaced={row?.kind === "turn" && index > topIndex}
                row={row}
                turnMs={headers.of(row?.turn ?? 0)?.durationMs ?? null}
                parallel={parallelPart(before, row, windows.itemAt(index + 1))}
                isFirstNew={isFirstNew(before, row, seenMs)}
                open={open}
                selected={index === selected}
                measure={virtualizer.measureElement}
                onSelect={setSelected}
              />
            );
          })}
        </div>
      </Box>
    </div>
  );
}
