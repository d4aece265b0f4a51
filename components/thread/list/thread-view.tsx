import { useQuery } from "@tanstack/react-query";
import { defaultRangeExtractor } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import type { OpenThread } from "@/components/thread/open-thread";
import { TurnHeader } from "@/components/thread/rows/turn-line";
import { AHEAD_ROWS } from "@/components/thread/store/thread-core";
import { useThreadWindows, type WindowsSnapshot } from "@/components/thread/thread-windows";
import { usePosition, useThreadState, useThreadStore } from "@/components/thread/use-thread";
import { Icon } from "@/components/ui/icon";
import { api } from "@/lib/client/api";
import type { ThreadChoice } from "@/lib/client/session-url";
import { formatCount } from "@/lib/format/format";
import type { SessionId } from "@/lib/wire/ids";
import type { Row, TurnRow } from "@/lib/wire/rows";
import { useAnchoredList } from "./scroll-anchor";
import { parallelPart, ThreadItem } from "./thread-item";
import { isClosedLine, rowsInFlow, useRowHeights } from "./use-row-list";
import { useThreadList } from "./use-thread-list";

/** The list of rows. Only what is near the screen is in the page or in memory. */
export function ThreadView({
  thread,
  follows,
  seenMs,
  label,
}: {
  thread: OpenThread;
  /** Rows are being written: a reader at the end stays there. */
  follows: boolean;
  /** Rows after this time are new to the reader; `null` marks none. */
  seenMs: number | null;
  /** What a thread beside the page's own is called. */
  label?: string;
}) {
  const store = useThreadStore();
  const open = useThreadState(store, (state) => state.open);
  const selected = useThreadState(store, (state) => state.position.selected);
  const { windows, start } = thread;
  const { sessionId } = useThreadActions();
  const snapshot = useThreadWindows(windows);
  const scroller = useRef<HTMLElement>(null);
  const refocus = useRef(start.fork === true || start.focused === true);
  const Box = label === undefined ? "main" : "section";
  const { rowPx, turnPx } = useRowHeights();
  // Rows of the whole thread, in the place of its beginning, are not new ones.
  const drawn = useRef(thread);
  const goesOn = drawn.current === thread;

  const virtualizer = useAnchoredList(
    thread,
    { open, selected, follows },
    {
      count: snapshot.total,
      getScrollElement: () => scroller.current,
      // One height for all that has not been measured: a guess that changed when a row arrives would
      // move what is below it without the list noticing.
      estimateSize: () => rowPx,
      overscan: 8,
      scrollPaddingStart: turnPx,
      scrollPaddingEnd: rowPx * 2,
      paddingEnd: rowPx * 3,
      followOnAppend: goesOn,
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
    },
    store.rested,
  );

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
  const topTurn = topRow?.turn ?? store.get().position.turn;
  const topStart = virtualizer.measurementsCache[topIndex]?.start ?? 0;
  // A prompt that begins right at the top has its own header there.
  const topIsHeader = topRow?.kind === "turn" && topStart >= top;
  const selectedKey = useThreadState(store, (state) => state.selectedKey);
  const chosenFrom = useThreadState(store, (state) => state.chosenFrom?.index ?? null);
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
    store.onDrawn({ first: topIndex, last: lastIndex, total, turn: topTurn, selected, atEnd, fresh });
  }, [store, thread, topIndex, lastIndex, total, topTurn, selected, atEnd]);

  useLayoutEffect(() => {
    if (!refocus.current) return;
    // Where this view hides the row that had it, the focus stays in the list.
    const isHidden = selected === null && start.focused === true && !start.selected;
    const element = isHidden
      ? scroller.current
      : scroller.current?.querySelector<HTMLElement>(`[data-index="${selected}"]`);
    if (!element) return;
    refocus.current = false;
    // Who types into a field, as from hit to hit, goes on typing there.
    if (!(document.activeElement instanceof HTMLInputElement)) element.focus({ preventScroll: true });
  });

  useThreadList(store.list, {
    windows,
    list: virtualizer,
    scroller,
    focus: () => {
      refocus.current = true;
    },
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
        className="@container/thread absolute inset-0 overflow-x-hidden contain-strict print:static print:contain-none overflow-y-auto [--ground:var(--bg)] [--hover:var(--raised)] [overflow-anchor:none]"
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
          className="relative min-h-full"
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
                chosen={isBetween(index, chosenFrom, selected)}
                measure={virtualizer.measureElement}
                onSelect={store.selectIndex}
                onExtend={store.extendTo}
              />
            );
          })}
        </div>
      </Box>
    </div>
  );
}

/**
 * Asks for the header of a turn that was jumped over, by its place in the outline. Shows nothing; stands in the
 * page only while a header is missed, since a query costs something with every frame of a scroll.
 */
function MissedHeader({
  sessionId,
  choice,
  turn,
  onHeader,
}: {
  sessionId: SessionId;
  choice: ThreadChoice;
  turn: number;
  onHeader: (header: TurnRow) => void;
}) {
  const { data } = useQuery({
    queryKey: ["turn-header", sessionId, choice.key, turn],
    queryFn: async ({ signal }) => {
      const { branch, detail, fold, runs } = choice;
      const query = { branch, detail, fold, runs, count: 1 };
      const { turns } = await api.outline(sessionId, { ...query, from: turn - 1 }, { signal });
      const row = turns[0]?.turn === turn ? turns[0].row : null;
      if (row === null) return null;
      const { rows } = await api.rows(sessionId, { ...query, from: row }, { signal });
      return rows[0]?.kind === "turn" ? rows[0] : null;
    },
    staleTime: 60_000,
  });
  useEffect(() => {
    if (data) onHeader(data);
  }, [data, onHeader]);
  return null;
}

/** True for the first row that was written after the reader's last visit. */
function isFirstNew(before: Row | undefined, row: Row | undefined, seenMs: number | null): boolean {
  if (seenMs === null || !row || row.atMs === null || row.atMs <= seenMs) return false;
  return before !== undefined && before.atMs !== null && before.atMs <= seenMs;
}

/** The headers of turns that are known. */
export type TurnHeaders = {
  of: (turn: number) => TurnRow | null;
  add: (header: TurnRow) => void;
};

/**
 * The headers of turns that have been on screen, which outlive their page: the turn at the top needs
 * its header however far up it begins.
 */
function useTurnHeaders({ windows }: OpenThread, snapshot: WindowsSnapshot): TurnHeaders {
  const drawAgain = useReducer((times: number) => times + 1, 0)[1];
  const [known] = useState(() => new Map<number, TurnRow>());
  const learned = useMemo(() => learn(known, windows, snapshot), [known, windows, snapshot]);
  const add = useCallback(
    (header: TurnRow) => {
      known.set(header.turn, header);
      drawAgain();
    },
    [known, drawAgain],
  );
  return { of: (turn) => learned.get(turn) ?? null, add };
}

/** Adds the headers among the loaded rows: once for each snapshot, that is for each page that came. */
function learn(
  known: Map<number, TurnRow>,
  windows: OpenThread["windows"],
  snapshot: WindowsSnapshot,
): ReadonlyMap<number, TurnRow> {
  if (snapshot.loaded > 0)
    for (const [, row] of windows.loaded()) if (row.kind === "turn") known.set(row.turn, row);
  return known;
}

/** How many rows have come below what is being read, and the way to them. Stands outside the thread. */
export function NewRowsPill() {
  const store = useThreadStore();
  const fresh = usePosition((at) => at.fresh);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-5 flex justify-center">
      {fresh > 0 && (
        <button
          type="button"
          onClick={() => store.list.current?.toEnd()}
          title="Go to the end and follow (G)"
          className="pointer-events-auto inline-flex h-6 items-center gap-1 rounded-2 border border-accent bg-panel px-2 text-12 text-accent tabular-nums hover:bg-raised"
        >
          <Icon of={ArrowDown} small />
          {formatCount(fresh)} new
        </button>
      )}
    </div>
  );
}

function isBetween(index: number, from: number | null, to: number | null): boolean {
  if (from === null || to === null) return false;
  return index >= Math.min(from, to) && index <= Math.max(from, to);
}
