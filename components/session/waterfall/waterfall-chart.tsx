import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useCanvasColours } from "@/components/canvas/canvas-colours";
import { useDrawing } from "@/components/canvas/use-canvas";
import { pointIn, useCanvasInput } from "@/components/canvas/use-canvas-input";
import { VisibleText } from "@/components/content/text/visible-text";
import type { TimeRange } from "@/lib/client/address/session-url";
import { drawWaterfall } from "./draw-waterfall";
import { formatTimes, notesOf, type RowTexts, tookOf, turnTitle, wordsOf } from "./row-words";
import { WaterfallList } from "./waterfall-list";
import { type Chart, extentOfRow, timesPx, type WaterfallStore } from "./waterfall-store";

const NARROW_PX = 640;

type ChartActions = {
  onSelect: (row: number) => void;
  onGo: (row: number) => void;
  /** A part of the time was selected. */
  onRange: (range: TimeRange | null) => void;
};

/** The chart: names on the left, times on the right. Redrawn when something changes, at most once a frame. */
export function WaterfallChart({
  store,
  chart,
  selected,
  texts,
  nowMs,
  listRef,
  onSelect,
  onGo,
  onRange,
}: {
  store: WaterfallStore;
  chart: Chart;
  selected: number;
  texts: RowTexts;
  nowMs: number | null;
  listRef: RefObject<HTMLDivElement | null>;
} & ChartActions) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useCanvasColours();
  const [focused, setFocused] = useState(false);
  const [hovered, setHovered] = useState<{ row: number; x: number; y: number } | null>(null);

  const scene = useMemo(
    () => colours && { colours, mono: monoFont(), texts, selected, focused, nowMs },
    [colours, texts, selected, focused, nowMs],
  );
  useDrawing(canvas, store, scene, (ctx, scene) => drawWaterfall({ ...scene, ctx, store }));

  const box = useChartBox(scroller, store, chart, selected);
  const input = useChartInput(canvas, store, listRef, { onSelect, onGo, onRange });
  return (
    <div
      ref={scroller}
      className="relative h-full min-h-0 overflow-x-hidden overflow-y-auto"
      onScroll={(event) => store.scrollTo(event.currentTarget.scrollTop)}
    >
      <div style={{ height: store.size.head + chart.rows.length * box.rowPx }} className="min-h-full">
        <div className="sticky top-0 h-0">
          <div style={{ height: box.height }} className="relative overflow-hidden">
            <canvas
              ref={canvas}
              aria-hidden="true"
              className="absolute inset-0 size-full touch-pan-y"
              {...input}
              onPointerMove={(event) => {
                input.onPointerMove(event);
                if (event.buttons !== 0 || event.pointerType === "touch") return setHovered(null);
                const { x, y } = pointIn(event.currentTarget, event);
                const row = store.rowAt(y);
                setHovered(row === -1 || x < store.size.names ? null : { row, x, y });
              }}
              onPointerLeave={() => setHovered(null)}
            />
            <WaterfallList
              ref={listRef}
              rows={chart.rows}
              selected={selected}
              texts={texts}
              nowMs={nowMs}
              onFocus={setFocused}
            />
            {hovered && <Hint {...hovered} store={store} chart={chart} texts={texts} nowMs={nowMs} />}
          </div>
        </div>
      </div>
    </div>
  );
}

/**
 * Tells the store the chart's size, and keeps the selected line in view. The first size it has begins with that line.
 * @returns the height of a row, and of what is seen of the chart, in pixels
 */
function useChartBox(
  scrollerRef: RefObject<HTMLDivElement | null>,
  store: WaterfallStore,
  chart: Chart,
  selected: number,
): { rowPx: number; height: number } {
  const [box, setBox] = useState({ rowPx: store.size.row, height: 0 });
  const reveal = useEffectEvent(() => {
    const element = scrollerRef.current;
    const { row, head, height } = store.size;
    if (!element || height === 0) return;
    const top = selected * row;
    const room = height - head;
    if (top < element.scrollTop + row) element.scrollTop = Math.max(0, top - row * 2);
    else if (top > element.scrollTop + room - row * 2) element.scrollTop = top - room + row * 4;
  });
  /** Starts at the selected line, with its turn, or the part of the time that is selected, as wide as the chart. */
  const begin = useEffectEvent(() => {
    let turn = selected;
    while (turn > 0 && chart.rows[turn]?.kind !== "turn") turn -= 1;
    const extent = store.range ?? extentOfRow(chart.rows[turn]);
    if (extent) store.show(extent);
    else store.fit();
    reveal();
  });
  const resize = useEffectEvent((width: number, height: number) => {
    const isFirst = store.size.width === 0;
    const isNarrow = width < NARROW_PX;
    const unit = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--u")) || 1;
    const row = Math.round((isNarrow ? 32 : 24) * unit);
    setBox({ rowPx: row, height });
    store.setSize({
      width,
      height,
      names: isNarrow ? Math.round(width * 0.44) : Math.min(340, Math.round(width * 0.36)),
      row,
      head: 24,
    });
    if (isFirst) begin();
  });
  useLayoutEffect(() => {
    const element = scrollerRef.current;
    if (!element) return;
    const observer = new ResizeObserver(() => resize(element.clientWidth, element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scrollerRef]);
  useLayoutEffect(() => store.setChart(chart), [store, chart]);

  useLayoutEffect(() => reveal(), [selected, box.rowPx]);
  return box;
}

/** What the pointer does on the canvas: a click selects a line, a drag a part of the time, a wheel moves and zooms. */
function useChartInput(
  canvas: RefObject<HTMLCanvasElement | null>,
  store: WaterfallStore,
  listRef: RefObject<HTMLElement | null>,
  { onSelect, onGo, onRange }: ChartActions,
) {
  return useCanvasInput(
    canvas,
    {
      zoom: (by, at) => store.zoom(by, at.x - store.size.names),
      wheel: ({ x, y }, shiftKey) => {
        const isAlong = shiftKey || Math.abs(x) > Math.abs(y);
        if (isAlong) store.pan(x || y);
        return isAlong;
      },
      // A mouse's drag over the times selects a part of them, a finger's moves along.
      drag: ({ start, before, now, byTouch, byMiddle }) => {
        const { names } = store.size;
        if (byTouch || byMiddle) return store.pan(before.x - now.x);
        if (start.x < names) return;
        const edge = (px: number) => store.msAt(Math.min(Math.max(0, px - names), timesPx(store.size)));
        store.setRange({ fromMs: edge(Math.min(start.x, now.x)), toMs: edge(Math.max(start.x, now.x)) });
      },
      drop: () => onRange(store.range),
      tap: ({ y }, { double }) => {
        const row = store.rowAt(y);
        if (row === -1) return;
        onSelect(row);
        listRef.current?.focus({ preventScroll: true });
        if (double) onGo(row);
      },
    },
    "x",
  );
}

let mono = "";

/** The font of code, as a canvas takes it. */
function monoFont(): string {
  mono ||= getComputedStyle(document.documentElement).getPropertyValue("--font-mono").trim() || "monospace";
  return mono;
}

const HINT_PX = 280;

/** What the line under the pointer is, with exact figures. */
function Hint({
  row: index,
  x,
  y,
  store,
  chart,
  texts,
  nowMs,
}: {
  row: number;
  x: number;
  y: number;
  store: WaterfallStore;
  chart: Chart;
  texts: RowTexts;
  nowMs: number | null;
}) {
  const row = chart.rows[index];
  const extent = extentOfRow(row);
  if (!row || !extent) return null;
  const words =
    row.kind === "turn"
      ? { title: turnTitle(row.turn), subject: texts.prompts.get(row.turn) ?? "" }
      : wordsOf(row, texts);
  const { width, height } = store.size;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 rounded-2 border border-line-2 bg-raised px-3 py-2 text-12 shadow-overlay"
      style={{
        width: HINT_PX,
        left: Math.max(4, Math.min(x + 14, width - HINT_PX - 8)),
        top: y + 20 + 96 > height ? Math.max(26, y - 96) : y + 20,
      }}
    >
      <p className="truncate font-semibold">
        {words.title}{" "}
        <span className="font-normal">
          <VisibleText text={words.subject} />
        </span>
      </p>
      <p className="text-fg-2 tabular-nums">
        {tookOf(row, nowMs)} · {formatTimes(extent)}
      </p>
      {notesOf(row).length > 0 && <p className="text-fg-3">{notesOf(row).join(", ")}</p>}
    </div>
  );
}
