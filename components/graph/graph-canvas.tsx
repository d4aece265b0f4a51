import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { api } from "@/lib/client/api";
import { formatClock } from "@/lib/format/format";
import {
  type Camera,
  type CameraStore,
  fitCamera,
  panCamera,
  revealCamera,
  rowScale,
  type Size,
  zoomCamera,
} from "./camera";
import { drawGraph, visibleTurns } from "./draw-graph";
import { type GraphColours, useGraphColours } from "./draw-scene";
import { itemAtPoint } from "./graph-find";
import { type GraphLayout, ROW_PX } from "./graph-layout";
import { itemFacts, itemTitle } from "./graph-tree";
import type { OpenGraph } from "./use-graph";

const TOUCH_REACH_PX = 14;

/** The graph's canvas. Redrawn when something changes, at most once a frame, and only for what is in view. */
export function GraphCanvas({
  graph,
  store,
  selected,
  onSelect,
  onOpen,
}: {
  graph: OpenGraph;
  store: CameraStore;
  selected: number | null;
  onSelect: (item: number) => void;
  onOpen: (item: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useGraphColours();
  const [hovered, setHovered] = useState<{ item: number; x: number; y: number } | null>(null);
  const prompts = useTurnPrompts(graph, store);
  const { layout, behind } = graph;

  const placeX = (item: number) => (layout.x[item] ?? 0) + (layout.width[item] ?? 0) / 2;
  const placeY = (item: number) => (layout.row[layout.model.lineOf[item] ?? 0] ?? 0) * ROW_PX;

  const draw = useEffectEvent((colours: GraphColours) => {
    const element = canvas.current;
    const ctx = element?.getContext("2d", { alpha: false });
    if (!element || !ctx) return;
    const { camera, size } = store;
    const ratio = window.devicePixelRatio;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawGraph(
      { ctx, layout, behind, camera, size, colours, selected, hovered: hovered?.item ?? null },
      prompts,
    );
  });
  useLayoutEffect(() => {
    if (!colours) return;
    let frame = requestAnimationFrame(() => draw(colours));
    const unsubscribe = store.subscribe(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => draw(colours));
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [store, graph, colours, selected, hovered, prompts]);

  const resize = useEffectEvent((width: number, height: number) => {
    const size = { width, height };
    const isFirst = store.size.width === 0;
    if (!isFirst) return store.set(store.camera, size);
    const fitted = fitCamera(layout, size);
    // Starts zoomed in far enough to read labels, at the selected item or at the end, where the session is now.
    const scale = Math.max(0.8, fitted.scale);
    const near = { ...fitted, scale, y: -height / 2 / rowScale(scale) };
    const target = selected ?? layout.model.lines[0]?.to ?? 1;
    const last = selected ?? target - 1;
    store.set(
      fitted.scale >= 0.6 ? fitted : revealCamera(near, placeX(last), placeY(last), layout, size),
      size,
    );
  });
  useLayoutEffect(() => {
    const box = canvas.current?.parentElement;
    if (!box) return;
    const observer = new ResizeObserver(() => resize(box.clientWidth, box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const reveal = useEffectEvent((item: number) => {
    if (store.size.width > 0)
      store.set(revealCamera(store.camera, placeX(item), placeY(item), layout, store.size));
  });
  useEffect(() => {
    if (selected !== null) reveal(selected);
  }, [selected, graph]);

  const find = (at: { x: number; y: number }, reachPx: number) => {
    const { camera } = store;
    return itemAtPoint(
      layout,
      camera.x + at.x / camera.scale,
      camera.y + at.y / rowScale(camera.scale),
      reachPx / camera.scale,
    );
  };
  const input = useCameraInput(canvas, store, layout, (at, double, touch) => {
    const item = find(at, touch ? TOUCH_REACH_PX : 3);
    if (item === null) return;
    onSelect(item);
    if (double) onOpen(item);
  });
  return (
    <>
      <canvas
        ref={canvas}
        aria-hidden="true"
        className="absolute inset-0 size-full cursor-grab touch-none active:cursor-grabbing"
        {...input}
        onPointerMove={(event) => {
          input.onPointerMove(event);
          if (event.buttons !== 0 || event.pointerType === "touch") return setHovered(null);
          const at = pointIn(event.currentTarget, event);
          const item = find(at, 3);
          if (item !== (hovered?.item ?? null)) setHovered(item === null ? null : { item, ...at });
        }}
        onPointerLeave={() => setHovered(null)}
      />
      {hovered && graph.model.items[hovered.item] && (
        <GraphHint
          graph={graph}
          item={hovered.item}
          x={hovered.x}
          y={hovered.y}
          size={store.size}
          prompts={prompts}
        />
      )}
    </>
  );
}

const WIDTH_PX = 240;

/** A tooltip for the item under the pointer. */
function GraphHint({
  graph,
  item,
  x,
  y,
  size,
  prompts,
}: {
  graph: OpenGraph;
  item: number;
  x: number;
  y: number;
  size: Size;
  prompts: ReadonlyMap<number, string>;
}) {
  const one = graph.model.items[item];
  if (!one) return null;
  const onMain = graph.model.lineOf[item] === 0;
  const prompt = one.kind === "turn" && onMain ? prompts.get(one.turn) : undefined;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 rounded-2 border border-line-2 bg-raised px-3 py-2 text-12 shadow-overlay"
      style={{
        width: WIDTH_PX,
        left: Math.max(4, Math.min(x + 14, size.width - WIDTH_PX - 8)),
        top: Math.max(30, y - 74),
      }}
    >
      <p className="truncate font-semibold">
        {itemTitle(graph, item)}
        {prompt && (
          <span className="font-normal">
            {" "}
            <VisibleText text={prompt} />
          </span>
        )}
      </p>
      <p className="text-fg-2">
        {itemFacts(one).join(" · ") || "a prompt"}
        {one.atMs !== null && <span className="text-fg-3"> · {formatClock(one.atMs)}</span>}
      </p>
    </div>
  );
}

const DRAG_PX = 4;
const WHEEL_ZOOM = 0.0022;
const PINCH_ZOOM = 0.012;

type Point = { x: number; y: number };

/** Wheel, drag and pinch input on the canvas; `onTap` gets the position of a press that did not move. */
function useCameraInput(
  canvas: RefObject<HTMLCanvasElement | null>,
  store: CameraStore,
  layout: GraphLayout,
  onTap: (at: Point, double: boolean, touch: boolean) => void,
) {
  const pointers = useRef(new Map<number, Point>());
  const moved = useRef(false);
  const lastTap = useRef({ atMs: 0, x: 0, y: 0 });
  const newest = useRef(layout);
  newest.current = layout;

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // A passive listener could not prevent the page from zooming on a pinch.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { camera, size } = store;
      const at = pointIn(element, event);
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        const rate = Math.abs(event.deltaY) < 40 ? PINCH_ZOOM : WHEEL_ZOOM;
        return store.set(zoomCamera(camera, Math.exp(-event.deltaY * unit * rate), at, newest.current, size));
      }
      // If the height fits whole there is nothing to scroll vertically, so the wheel pans along the session.
      const along = event.shiftKey || fitsWhole(newest.current, camera, size.height);
      const dx = event.deltaX + (along ? event.deltaY : 0);
      store.set(panCamera(camera, dx * unit, along ? 0 : event.deltaY * unit, newest.current, size));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, store]);

  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    if (pointers.current.size === 0) moved.current = false;
    pointers.current.set(event.pointerId, pointIn(event.currentTarget, event));
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = pointIn(event.currentTarget, event);
    const { camera, size } = store;
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    if (other) {
      moved.current = true;
      const by = distance(now, other) / Math.max(1, distance(before, other));
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      const zoomed = zoomCamera(camera, by, middle, newest.current, size);
      store.set(panCamera(zoomed, (before.x - now.x) / 2, (before.y - now.y) / 2, newest.current, size));
    } else if (moved.current || distance(before, now) > DRAG_PX) {
      moved.current = true;
      store.set(panCamera(camera, before.x - now.x, before.y - now.y, newest.current, size));
    } else return;
    pointers.current.set(event.pointerId, now);
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!pointers.current.delete(event.pointerId) || moved.current || event.type === "pointercancel") return;
    const at = pointIn(event.currentTarget, event);
    const double = event.timeStamp - lastTap.current.atMs < 350 && distance(at, lastTap.current) < 8;
    lastTap.current = { atMs: double ? 0 : event.timeStamp, ...at };
    onTap(at, double, event.pointerType === "touch");
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}

function fitsWhole({ top, bottom }: GraphLayout, { scale }: Camera, heightPx: number): boolean {
  return (bottom - top + 2) * ROW_PX * rowScale(scale) <= heightPx;
}

/** An event's position in pixels from the element's upper left corner. */
function pointIn(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

const STEP_TURNS = 40;
const MAX_TURNS = 160;
const SETTLED_MS = 150;

/** The first words of the prompts in view, fetched once the canvas has stopped moving. */
function useTurnPrompts({ layout, model }: OpenGraph, store: CameraStore): ReadonlyMap<number, string> {
  const { sessionId } = useThreadActions();
  const [range, setRange] = useState<{ from: number; count: number } | null>(null);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      const turns =
        store.size.width > 0 ? visibleTurns({ layout, camera: store.camera, size: store.size }) : null;
      if (!turns || turns[1] - turns[0] > MAX_TURNS) return;
      const from = Math.floor(Math.max(0, turns[0] - 1) / STEP_TURNS) * STEP_TURNS;
      const count = Math.ceil((turns[1] - from + 1) / STEP_TURNS) * STEP_TURNS;
      setRange((old) => (old?.from === from && old.count === count ? old : { from, count }));
    };
    const settle = () => {
      clearTimeout(timer);
      timer = window.setTimeout(look, SETTLED_MS);
    };
    settle();
    const unsubscribe = store.subscribe(settle);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [layout, store]);
  // A new row changes no prompt; a new turn does.
  const lastTurn = model.items[(model.lines[0]?.to ?? 0) - 1]?.turn ?? 0;
  const query = useQuery({
    queryKey: ["graph-prompts", sessionId, lastTurn, range],
    queryFn: ({ signal }) => api.outline(sessionId, { ...range, detail: "prompts" }, { signal }),
    enabled: range !== null,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  return useMemo(() => new Map(query.data?.turns.map(({ turn, prompt }) => [turn, prompt])), [query.data]);
}
