import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useCanvasColours } from "@/components/canvas/canvas-colours";
import { useDrawing, useSettled } from "@/components/canvas/use-canvas";
import { type Point, pointIn, useCanvasInput } from "@/components/canvas/use-canvas-input";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { Moment } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import {
  type Camera,
  type CameraStore,
  openingCamera,
  panCamera,
  revealCamera,
  rowScale,
  type Size,
  zoomCamera,
} from "./camera";
import { drawGraph, visibleTurns } from "./draw-graph";
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
  const colours = useCanvasColours();
  const [hovered, setHovered] = useState<{ item: number; x: number; y: number } | null>(null);
  const prompts = useTurnPrompts(graph, store);
  const { layout, behind } = graph;

  const scene = useMemo(
    () => colours && { layout, behind, colours, selected, hovered: hovered?.item ?? null, prompts },
    [layout, behind, colours, selected, hovered, prompts],
  );
  useDrawing(canvas, store, scene, (ctx, { prompts, ...rest }) =>
    drawGraph({ ...rest, ctx, camera: store.camera, size: store.size }, prompts),
  );

  useGraphCamera(canvas, store, graph, selected);
  const find = (at: Point, reachPx: number) => {
    const { camera } = store;
    return itemAtPoint(
      layout,
      camera.x + at.x / camera.scale,
      camera.y + at.y / rowScale(camera.scale),
      reachPx / camera.scale,
    );
  };
  const pan = ({ x, y }: Point) => store.set(panCamera(store.camera, x, y, layout, store.size));
  const input = useCanvasInput(canvas, {
    zoom: (by, at) => store.set(zoomCamera(store.camera, by, at, layout, store.size)),
    wheel: ({ x, y }, shiftKey) => {
      // If the height fits whole there is nothing to scroll vertically, so the wheel pans along the session.
      const along = shiftKey || fitsWhole(layout, store.camera, store.size.height);
      pan(along ? { x: x + y, y: 0 } : { x, y });
      return true;
    },
    moveAlong: pan,
    drag: ({ before, now }) => pan({ x: before.x - now.x, y: before.y - now.y }),
    tap: (at, { double, byTouch }) => {
      const item = find(at, byTouch ? TOUCH_REACH_PX : 3);
      if (item === null) return;
      onSelect(item);
      if (double) onOpen(item);
    },
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

/**
 * Gives the store the canvas's size, and brings the selected item into view: when the canvas has its first size, and
 * whenever another one is selected.
 */
function useGraphCamera(
  canvas: RefObject<HTMLCanvasElement | null>,
  store: CameraStore,
  graph: OpenGraph,
  selected: number | null,
): void {
  const { layout } = graph;
  const placeX = (item: number) => (layout.x[item] ?? 0) + (layout.width[item] ?? 0) / 2;
  const placeY = (item: number) => (layout.row[layout.model.lineOf[item] ?? 0] ?? 0) * ROW_PX;

  const resize = useEffectEvent((width: number, height: number) => {
    const size = { width, height };
    const isFirst = store.size.width === 0;
    if (!isFirst) return store.set(store.camera, size);
    // At the selected item or at the end, where the session is now.
    const target = selected ?? (layout.model.lines[0]?.to ?? 1) - 1;
    store.set(openingCamera(layout, size, placeX(target), placeY(target)), size);
  });
  useLayoutEffect(() => {
    const box = canvas.current?.parentElement;
    if (!box) return;
    const observer = new ResizeObserver(() => resize(box.clientWidth, box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, [canvas]);

  const reveal = useEffectEvent((item: number) => {
    if (store.size.width > 0)
      store.set(revealCamera(store.camera, placeX(item), placeY(item), layout, store.size));
  });
  useEffect(() => {
    if (selected !== null) reveal(selected);
  }, [selected, graph]);
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
        {one.atMs !== null && (
          <span className="text-fg-3">
            {" · "}
            <Moment atMs={one.atMs} />
          </span>
        )}
      </p>
    </div>
  );
}

function fitsWhole({ top, bottom }: GraphLayout, { scale }: Camera, heightPx: number): boolean {
  return (bottom - top + 2) * ROW_PX * rowScale(scale) <= heightPx;
}

const STEP_TURNS = 40;
const MAX_TURNS = 160;

/** The first words of the prompts in view, fetched once the canvas has stopped moving. */
function useTurnPrompts({ layout, model }: OpenGraph, store: CameraStore): ReadonlyMap<number, string> {
  const { sessionId } = useThreadActions();
  const [range, setRange] = useState<{ from: number; count: number } | null>(null);
  useSettled(store, layout, () => {
    const turns =
      store.size.width > 0 ? visibleTurns({ layout, camera: store.camera, size: store.size }) : null;
    if (!turns || turns[1] - turns[0] > MAX_TURNS) return;
    const from = Math.floor(Math.max(0, turns[0] - 1) / STEP_TURNS) * STEP_TURNS;
    const count = Math.ceil((turns[1] - from + 1) / STEP_TURNS) * STEP_TURNS;
    setRange((old) => (old?.from === from && old.count === count ? old : { from, count }));
  });
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
