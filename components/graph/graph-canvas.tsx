import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { CameraStore } from "./camera-store";
import { drawGraph } from "./draw-graph";
import { fitCamera, revealCamera, rowScale } from "./graph-camera";
import { type GraphColours, useGraphColours } from "./graph-colours";
import { itemAtPlace } from "./graph-find";
import { GraphHint } from "./graph-hint";
import { ROW_PX } from "./graph-layout";
import { placeOf, useCameraInput } from "./use-camera-input";
import type { OpenGraph } from "./use-graph";
import { useTurnPrompts } from "./use-turn-prompts";

const TOUCH_REACH_PX = 14;

/** The picture. It is drawn when something changes, at most once a frame, and only what is in view. */
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
    // At first as near as words can be read, at the end, where a session is now; or at what is selected.
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
    return itemAtPlace(
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
          const at = placeOf(event.currentTarget, event);
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
