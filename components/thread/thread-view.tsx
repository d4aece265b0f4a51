import { defaultRangeExtractor } from "@tanstack/react-virtual";
import {
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { PositionStore } from "@/lib/client/thread-position";
import { useThreadWindows } from "@/lib/client/thread-use-windows";
import type { Row } from "@/lib/wire/rows";
import { forkAnchor, indexOfKey } from "./held-row";
import { isFirstNew } from "./is-first-new";
import { measureRow } from "./measure-row";
import { MissedHeader } from "./missed-header";
import { parallelPart } from "./parallel-part";
import { TurnHeader } from "./rows/turn-header";
import { rowsInFlow } from "./rows-in-flow";
import { useThreadActions } from "./thread-context";
import { ThreadItem } from "./thread-item";
import { useOpeningPlace } from "./use-opening-place";
import { useRowHeights } from "./use-row-heights";
import { useRowList } from "./use-row-list";
import { useTailSlack } from "./use-tail-slack";
import type { Anchor, OpenThread } from "./use-thread";
import { useTurnHeaders } from "./use-turn-headers";

/** What keys, the outline and the minimap do with the list. */
export type ThreadHandle = {
  /** Brings a row into view once it is loaded, and selects it. */
  goTo: (index: number, align: "start" | "center" | "auto") => Promise<void>;
  scrollToShare: (share: number) => void;
  /** Brings the end into view; what is written then keeps it there. */
  toEnd: () => void;
  selected: () => { index: number; row: Row } | null;
  anchor: () => Anchor | null;
  /** When the thread around this fork's row changes, that row stays in place and is selected. */
  holdFork: (key: string) => void;
  /** The same for a run's row, which is opened or closed. */
  holdRun: (key: string) => void;
  /** When the thread changes next, it opens at what the address names. */
  release: () => void;
};

/** Rows beyond the screen that are loaded ahead of a scroll. */
const AHEAD_ROWS = 20;

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
  const heldFork = useRef<string | null>(null);
  const heldRun = useRef<string | null>(null);
  const goal = useRef<number | null>(null);
  const released = useRef(false);
  const Box = label === undefined ? "main" : "section";
  const { rowPx, turnPx } = useRowHeights();
  const slackPx = useTailSlack(snapshot.total, rowPx, follows);

  const virtualizer = useRowList({
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
    // A thread that is only read stays where it is when its last row is opened.
    anchorTo: follows ? "end" : "start",
    followOnAppend: follows,
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

  // Lines are not measured: when they grow, the list has to be told.
  const guessed = useRef(rowPx);
  useLayoutEffect(() => {
    if (guessed.current !== rowPx) virtualizer.measure();
    guessed.current = rowPx;
  }, [rowPx, virtualizer]);

  useOpeningPlace(virtualizer, start, rowPx);

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
    if (atEnd || total < seenRows.current) seenRows.current = total;
    const fresh = total - seenRows.current;
    position.set({ first: topIndex, last: lastIndex, total, turn: topTurn, selected, atEnd, fresh });
  }, [position, topIndex, lastIndex, total, topTurn, selected, atEnd]);

  useLayoutEffect(() => {
    if (!refocus.current || selected === null) return;
    const element = scroller.current?.querySelector<HTMLElement>(`[data-index="${selected}"]`);
    if (!element) return;
    refocus.current = false;
    // Who types into a field, as from hit to hit, goes on typing there.
    if (!(document.activeElement instanceof HTMLInputElement)) element.focus({ preventScroll: true });
  });

  useImperativeHandle(ref, () => ({
    goTo: async (index, align) => {
      const row = Math.max(0, Math.min(total - 1, index));
      refocus.current = true;
      setSelected(row);
      goal.current = row;
      if (!windows.itemAt(row)) await windows.ensure(row - AHEAD_ROWS, row + AHEAD_ROWS);
      // A later jump has been made while this one's rows were on their way.
      if (goal.current !== row) return;
      const from = virtualizer.measurementsCache[row]?.start;
      // A prompt comes to the very top, where its own header stands; other rows below the header.
      const isTurn = windows.itemAt(row)?.kind === "turn";
      if (isTurn && align === "start" && from !== undefined) virtualizer.scrollToOffset(from);
      else virtualizer.scrollToIndex(row, { align });
    },
    scrollToShare: (share) => {
      const row = Math.floor(Math.max(0, Math.min(1, share)) * (total - 1));
      virtualizer.scrollToIndex(row, { align: "center" });
    },
    toEnd: () => virtualizer.scrollToEnd(),
    selected: () => {
      const row = selected === null ? undefined : windows.itemAt(selected);
      return row && selected !== null ? { index: selected, row } : null;
    },
    holdFork: (key) => {
      heldFork.current = key;
    },
    holdRun: (key) => {
      heldRun.current = key;
    },
    release: () => {
      released.current = true;
    },
    anchor: () => {
      if (released.current) return null;
      const fork = forkAnchor(windows.loaded(), heldFork.current);
      heldFork.current = null;
      const above = fork && virtualizer.measurementsCache[fork.index]?.start;
      if (fork && above !== undefined) {
        const { recordId, block } = fork.row;
        return { recordId, block, offsetPx: (above ?? 0) - top, selected: false, fork: true };
      }
      const held = heldRun.current === null ? null : indexOfKey(windows.loaded(), heldRun.current);
      heldRun.current = null;
      const visible = selected !== null && selected >= topIndex && selected <= lastIndex;
      const index = held ?? (visible && selected !== null ? selected : topIndex);
      const row = windows.itemAt(index);
      const from = virtualizer.measurementsCache[index]?.start;
      if (!row || from === undefined) return null;
      const { recordId, block } = row;
      return {
        recordId,
        block,
        offsetPx: from - top,
        selected: held !== null || visible,
        focused: scroller.current?.contains(document.activeElement) === true,
      };
    },
  }));

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
