import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { useGraphColours } from "@/components/graph/draw-scene";
import { formatClockSeconds } from "@/lib/format/format";
import { drawWaterfall, type RowTexts, tookOf, wordsOf } from "./draw-waterfall";
import { WaterfallList } from "./waterfall-list";
import { turnTitle } from "./waterfall-model";
import { type Chart, extentOfRow, rowNotes, timesPx, type WaterfallStore } from "./waterfall-store";

const NARROW_PX = 640;

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
}: {
  store: WaterfallStore;
  chart: Chart;
  selected: number;
  texts: RowTexts;
  nowMs: number | null;
  listRef: RefObject<HTMLDivElement | null>;
  onSelect: (row: number) => void;
  onGo: (row: number) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useGraphColours();
  const [focused, setFocused] = useState(false);
  const [hovered, setHovered] = useState<{ row: number; x: number; y: number } | null>(null);
  const [box, setBox] = useState({ rowPx: store.size.row, height: 0 });

  const draw = useEffectEvent(() => {
    const element = canvas.current;
    const ctx = element?.getContext("2d", { alpha: false });
    if (!element || !ctx || !colours) return;
    const { size } = store;
    const ratio = window.devicePixelRatio;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawWaterfall({ ctx, store, colours, mono: monoFont(), texts, selected, focused, nowMs });
  });
  useLayoutEffect(() => {
    if (!colours) return;
    let frame = requestAnimationFrame(() => draw());
    const unsubscribe = store.subscribe(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => draw());
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [store, chart, colours, selected, focused, texts, nowMs]);

  const reveal = useEffectEvent(() => {
    const element = scroller.current;
    const { row, head, height } = store.size;
    if (!element || height === 0) return;
    const top = selected * row;
    const room = height - head;
    if (top < element.scrollTop + row) element.scrollTop = Math.max(0, top - row * 2);
    else if (top > element.scrollTop + room - row * 2) element.scrollTop = top - room + row * 4;
  });
  /** Starts at the selected line, with its turn as wide as the chart. */
  const begin = useEffectEvent(() => {
    let turn = selected;
    while (turn > 0 && chart.rows[turn]?.kind !== "turn") turn -= 1;
    const extent = extentOfRow(chart.rows[turn]);
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
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => resize(element.clientWidth, element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => store.setChart(chart), [store, chart]);

  useLayoutEffect(() => reveal(), [selected, box.rowPx]);

  const input = useChartInput(canvas, store, {
    onTap: (y, double) => {
      const row = store.rowAt(y);
      if (row === -1) return;
      onSelect(row);
      listRef.current?.focus({ preventScroll: true });
      if (double) onGo(row);
    },
  });
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
                const box = event.currentTarget.getBoundingClientRect();
                const [x, y] = [event.clientX - box.left, event.clientY - box.top];
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
        {tookOf(row, nowMs)} · {formatClockSeconds(extent.fromMs)} – {formatClockSeconds(extent.toMs)}
      </p>
      {rowNotes(row).length > 0 && <p className="text-fg-3">{rowNotes(row).join(", ")}</p>}
    </div>
  );
}

const DRAG_PX = 4;
const WHEEL_ZOOM = 0.0022;
const PINCH_ZOOM = 0.012;

type Point = { x: number; y: number };

/**
 * Wheel, drag and pinch: a mouse's drag over the times selects a part of them, a finger's moves along. `onTap` gets the
 * height of a press that did not move.
 */
function useChartInput(
  canvas: RefObject<HTMLCanvasElement | null>,
  store: WaterfallStore,
  { onTap }: { onTap: (y: number, double: boolean) => void },
) {
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point & { moved: boolean }>({ x: 0, y: 0, moved: false });
  const lastTap = useRef({ atMs: 0, y: 0 });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // A passive listener could not prevent the page from zooming on a pinch.
    const onWheel = (event: WheelEvent) => {
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey || event.altKey) {
        event.preventDefault();
        const rate = Math.abs(event.deltaY) < 40 ? PINCH_ZOOM : WHEEL_ZOOM;
        store.zoom(Math.exp(-event.deltaY * unit * rate), pointIn(element, event).x - store.size.names);
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        store.pan((event.deltaX || event.deltaY) * unit);
      }
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, store]);

  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button > 1) return;
    const at = pointIn(event.currentTarget, event);
    event.currentTarget.setPointerCapture(event.pointerId);
    if (pointers.current.size === 0) start.current = { ...at, moved: false };
    pointers.current.set(event.pointerId, at);
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = pointIn(event.currentTarget, event);
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    const from = start.current;
    const { names } = store.size;
    if (other) {
      from.moved = true;
      const by = Math.abs(now.x - other.x) / Math.max(1, Math.abs(before.x - other.x));
      store.zoom(by, (now.x + other.x) / 2 - names);
    } else if (from.moved || Math.abs(now.x - from.x) > DRAG_PX) {
      from.moved = true;
      if (event.pointerType === "touch" || event.buttons === 4) store.pan(before.x - now.x);
      else if (from.x >= names) {
        const edge = (px: number) => store.msAt(Math.min(Math.max(0, px - names), timesPx(store.size)));
        store.setRange({
          fromMs: edge(Math.min(from.x, now.x)),
          toMs: edge(Math.max(from.x, now.x)),
        });
      }
    }
    pointers.current.set(event.pointerId, now);
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    const isOurs = pointers.current.delete(event.pointerId);
    if (!isOurs || start.current.moved || event.type === "pointercancel") return;
    const { y } = pointIn(event.currentTarget, event);
    const double = event.timeStamp - lastTap.current.atMs < 350 && Math.abs(y - lastTap.current.y) < 8;
    lastTap.current = { atMs: double ? 0 : event.timeStamp, y };
    onTap(y, double);
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}

/** An event's position in pixels from the element's upper left corner. */
function pointIn(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}
