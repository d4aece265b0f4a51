import { ChartGantt } from "lucide-react";
import {
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useThreadState } from "@/components/thread/use-thread";
import { Button } from "@/components/ui/button";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { EmptyState, FailedState, SkeletonRows } from "@/components/ui/states";
import { formatRange, parseRange, type TimeRange } from "@/lib/client/address/session-url";
import { useLastKnown } from "@/lib/client/connection/last-known";
import { useLiveState } from "@/lib/client/live-states";
import { useSecondsWhile } from "@/lib/client/use-now";
import { isInProgress } from "@/lib/wire/library";
import type { Span } from "@/lib/wire/spans";
import { useSessionPage } from "../session-store";
import { formatRow } from "./row-words";
import { workInRange } from "./selected-part";
import { type AxisKind, timeAxis } from "./time-axis";
import { useSelectedRow } from "./use-selected-row";
import { useRowTexts, useWaterfall } from "./use-waterfall";
import { moveInWaterfall, useWaterfallKeys } from "./use-waterfall-keys";
import { WaterfallChart } from "./waterfall-chart";
import {
  busyTimes,
  firstInRange,
  flawedCount,
  slowestSteps,
  spanToGo,
  totalsOf,
  type WaterfallModel,
  type WaterfallRow,
  waterfallRows,
} from "./waterfall-model";
import { WaterfallPanel } from "./waterfall-panel";
import { WaterfallSheet } from "./waterfall-sheet";
import { type Chart, extentOfRow, layOutChart, WaterfallStore } from "./waterfall-store";
import { type Shown, type Side, WaterfallTop } from "./waterfall-top";

const LISTED = 12;

/** Where the session's time went, in place of its thread. */
export function WaterfallView({ printed }: { printed: boolean }) {
  const { sessionId, url, store } = useSessionPage();
  const windows = useThreadState(store.thread, ({ thread }) => thread?.windows ?? null);
  const { model, error, retry } = useWaterfall(sessionId, url.branch, windows);
  if (model && model.spans.length > 0) return <Waterfall model={model} printed={printed} />;
  if (model)
    return (
      <section aria-label="Waterfall" className="h-full">
        <EmptyState
          icon={ChartGantt}
          title="No steps"
          actions={<Button onClick={store.views.close}>Back to the thread</Button>}
        >
          The log has no answer of the model and no tool call.
        </EmptyState>
      </section>
    );
  if (error) return <FailedState title="Couldn’t load the waterfall" error={error} onRetry={retry} />;
  return <SkeletonRows count={16} label="Loading the waterfall" />;
}

function Waterfall({ model, printed }: { model: WaterfallModel; printed: boolean }) {
  const { url, sessionId, store: session } = useSessionPage();
  const [store] = useState(() => new WaterfallStore());
  const { chart, shown, ...choice } = useChosenChart(model);
  const [side, setSide] = useState<Side>("chart");
  const list = useRef<HTMLDivElement>(null);
  const isAtWork = useIsAtWork();
  const nowMs = useChartNow(isAtWork);
  const reader = useReaderInChart(store, chart, isAtWork);
  const { row, selected, select, go } = reader;
  const [range, setRange] = useSelectedRange(store);
  const { totals, turns, slowest, first } = useRangeSums(model, range, shown);
  const texts = useRowTexts({ sessionId, branch: url.branch }, store, model, slowest);

  useReaderKeys(store, chart, reader, { togglePath: () => choice.toggle("path"), setRange });
  useEffect(() => list.current?.focus({ preventScroll: true }), []);
  return (
    <section
      aria-label="Waterfall"
      data-waterfall=""
      className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)_264px] grid-rows-[auto_minmax(0,1fr)_auto] max-md:grid-cols-1"
    >
      <WaterfallTop
        store={store}
        axis={choice.axisKind}
        onAxis={choice.setAxis}
        side={side}
        onSide={setSide}
        shown={shown}
        onToggle={choice.toggle}
        gaps={chart.axis.gaps.length}
        turnsLeftOut={model.turnsLeftOut}
        onBack={session.views.close}
      />
      <div className={side === "chart" ? "min-h-0 min-w-0" : "min-h-0 min-w-0 max-md:hidden"}>
        <WaterfallChart
          store={store}
          chart={chart}
          selected={selected}
          texts={texts}
          nowMs={nowMs}
          listRef={list}
          onSelect={select}
          onGo={go}
          onRange={setRange}
        />
      </div>
      <WaterfallPanel
        className={side === "summary" ? undefined : "max-md:hidden"}
        totals={totals}
        part={
          range && {
            range,
            turns,
            onClear: () => setRange(null),
            onThread: first && (() => session.views.leaveForSpan(first)),
            onChanges: () => session.views.openChanges(null),
            onZoom: reader.zoomTo,
          }
        }
        slowest={slowest}
        texts={texts}
        selected={row?.kind === "span" ? row.span.id : null}
        flawed={flawedCount(model)}
        onSelect={(span) => {
          const index = indexOfSpan(chart.rows, span);
          setSide("chart");
          if (index !== -1) select(index);
          list.current?.focus({ preventScroll: true });
        }}
      />
      {row && <RowBar words={formatRow(row, texts, nowMs)} onOpen={() => go(selected)} />}
      {printed && <WaterfallSheet model={model} texts={texts} />}
    </section>
  );
}

/** Up to when what has no end is drawn: now, or the moment at which the page last heard; `null` where all has ended. */
function useChartNow(isAtWork: boolean): number | null {
  const secondsMs = useSecondsWhile(isAtWork);
  const knownMs = useLastKnown();
  return secondsMs === null ? null : (knownMs ?? secondsMs);
}

/** What keys do in the chart. */
function useReaderKeys(
  store: WaterfallStore,
  { rows }: Chart,
  { selected, select, go, zoomTo }: ReturnType<typeof useReaderInChart>,
  { togglePath, setRange }: { togglePath: () => void; setRange: (range: TimeRange | null) => void },
): void {
  const { views } = useSessionPage().store;
  useWaterfallKeys({
    move: (to) => select(moveInWaterfall(rows, selected, to)),
    pan: (px) => store.pan(px),
    go: () => go(selected),
    zoom: store.zoom,
    fit: store.fit,
    zoomTo,
    togglePath,
    escape: () => (store.range ? setRange(null) : views.close()),
  });
}

/** The chart of a session's spans as the reader has it drawn: which steps, along which axis, with or without its path. */
function useChosenChart(model: WaterfallModel) {
  const [axisKind, setAxis] = useState<AxisKind>("active");
  const [shown, setShown] = useState<Shown>({ model: true, waiting: true, path: true });
  const toggle = (what: keyof Shown) => setShown((old) => ({ ...old, [what]: !old[what] }));
  const rows = useMemo(() => waterfallRows(model, shown), [model, shown]);
  const axis = useMemo(() => timeAxis(axisKind, busyTimes(model)), [model, axisKind]);
  const chart = useMemo(() => layOutChart(rows, axis, shown.path), [rows, axis, shown.path]);
  return { chart, axisKind, setAxis, shown, toggle };
}

/** The line that is selected, and what takes the reader to another one, nearer to it, or from it to the thread. */
function useReaderInChart(store: WaterfallStore, { rows }: Chart, isAtWork: boolean) {
  const { views } = useSessionPage().store;
  const [selected, selectRow] = useSelectedRow(rows, isAtWork);
  const row = rows[selected];
  return {
    row,
    selected,
    select: (index: number) => {
      if (selectRow(index)) store.reveal(index);
    },
    /** Opens the place of a line in the thread. */
    go: (index: number) => {
      const span = spanToGo(rows, index);
      if (span) views.leaveForSpan(span);
    },
    /** Shows the selected part of the time, or else the selected line, as large as it fits. */
    zoomTo: () => {
      const extent = store.range ?? extentOfRow(row);
      if (extent) store.show(extent);
    },
  };
}

/**
 * The part of the time that is selected, as the address has it; while a gesture selects one, that. `null`: none is.
 * @returns it, and what selects one
 */
function useSelectedRange(store: WaterfallStore): [TimeRange | null, (range: TimeRange | null) => void] {
  const { url, setUrl } = useSessionPage();
  const live = useSyncExternalStore(
    store.subscribe,
    () => store.range,
    () => null,
  );
  // Summing up takes longer than a frame of the gesture that selects.
  const range = useDeferredValue(live);
  const setRange = (next: TimeRange | null) => {
    store.setRange(next);
    setUrl({ range: formatRange(next) });
  };
  useLayoutEffect(() => store.setRange(parseRange(url.range)), [store, url.range]);
  return [range, setRange];
}

/** The row of a span, its own or that of the call that it is a part of; -1 where none is shown. */
function indexOfSpan(rows: readonly WaterfallRow[], { id }: Span): number {
  return rows.findIndex((one) => one.kind === "span" && (one.span.id === id || one.call?.id === id));
}

/** Where the time of a part of the session went, which turns it has, and its slowest steps among those that are shown. */
function useRangeSums(model: WaterfallModel, range: TimeRange | null, shown: Shown) {
  const totals = useMemo(() => totalsOf(model, range), [model, range]);
  const turns = useMemo(() => {
    const whole = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
    const all = workInRange(model, whole).turns.length;
    return { shown: range ? workInRange(model, range).turns.length : all, all };
  }, [model, range]);
  const slowest = useMemo(() => slowestSteps(model, range, shown, LISTED), [model, range, shown]);
  const first = useMemo(() => range && firstInRange(model, range), [model, range]);
  return { totals, turns, slowest, first };
}

/** Where the page is narrow: what is selected, and the way to it. */
function RowBar({ words, onOpen }: { words: string; onOpen: () => void }) {
  return (
    <div
      ref={bottomBar}
      className="flex h-11 items-center gap-2 border-t border-line-2 bg-panel px-3 text-12 md:hidden"
    >
      <span className="line-clamp-2 min-w-0 flex-1">{words}</span>
      <Button kind="primary" className="h-9" onClick={onOpen}>
        Open
      </Button>
    </div>
  );
}

/** Whether the session is doing something, so that what has no end goes on. */
function useIsAtWork(): boolean {
  const { sessionId } = useSessionPage();
  const live = useLiveState(sessionId);
  return live !== null && isInProgress(live);
}
