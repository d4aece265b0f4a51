import { type PointerEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { type CanvasColours, useCanvasColours } from "@/components/canvas/canvas-colours";
import { followPointer } from "@/components/ui/by-hand";
import { type CameraStore, panCamera, type Size } from "./camera";
import { cross } from "./draw-marks";
import type { OpenGraph } from "./use-graph";

const OVERVIEW_PX = 53;

/** The whole graph in one strip, with a frame around the visible part; press or drag to move it. */
export function GraphOverview({ graph, store }: { graph: OpenGraph; store: CameraStore }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLSpanElement>(null);
  const colours = useCanvasColours();
  const widthPx = Math.max(1, graph.layout.widthPx);

  const draw = useEffectEvent(() => {
    const element = canvas.current;
    const ctx = element?.getContext("2d", { alpha: false });
    if (!element || !ctx || !colours) return;
    const ratio = window.devicePixelRatio;
    const size = { width: element.clientWidth, height: OVERVIEW_PX };
    Object.assign(element, {
      width: Math.round(size.width * ratio),
      height: Math.round(size.height * ratio),
    });
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOverview(ctx, graph, colours, size);
  });
  const placeFrame = useEffectEvent(() => {
    const { camera, size } = store;
    if (!frame.current || !box.current || size.width === 0) return;
    const scale = box.current.clientWidth / widthPx;
    const left = Math.max(0, camera.x * scale);
    const right = Math.min(box.current.clientWidth, (camera.x + size.width / camera.scale) * scale);
    frame.current.style.transform = `translateX(${left}px)`;
    frame.current.style.width = `${Math.max(6, right - left)}px`;
  });
  useLayoutEffect(() => {
    draw();
    placeFrame();
  }, [graph, colours]);
  useEffect(() => store.subscribe(() => placeFrame()), [store]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      draw();
      placeFrame();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const goTo = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const { camera, size } = store;
    const wanted = ((event.clientX - left) / width) * widthPx - size.width / camera.scale / 2;
    store.set(panCamera(camera, (wanted - camera.x) * camera.scale, 0, graph.layout, size));
  };
  return (
    <div
      ref={box}
      aria-hidden="true"
      {...followPointer(goTo)}
      className="relative h-[53px] touch-none overflow-hidden border-b border-line-2 bg-panel select-none"
    >
      <canvas ref={canvas} className="block h-[53px] w-full" />
      <span
        ref={frame}
        className="absolute inset-y-0.5 left-0 rounded-[2px] border-[1.5px] border-accent bg-accent/10"
      />
    </div>
  );
}

const BAR_PX = 4;
const BASE_PX = 34;
/** Marks closer together than this would merge into a fence. */
const ERROR_STEP_PX = 14;
const COMPACTION_STEP_PX = 28;

/** Draws the main line's density, agents above it in their colours, branches below, errors and compactions. */
function drawOverview(
  ctx: CanvasRenderingContext2D,
  { layout, model }: OpenGraph,
  colours: CanvasColours,
  size: Size,
): void {
  const { items, lines } = model;
  const scale = size.width / Math.max(1, layout.widthPx);
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, size.width, size.height);
  const bars = new Float64Array(Math.ceil(size.width / BAR_PX) + 1);
  const { from = 0, to = 0 } = lines[0] ?? {};
  let errorPx = -10;
  let compactedPx = -10;
  for (let item = from; item < to; item++) {
    const one = items[item];
    const x = (layout.x[item] ?? 0) * scale;
    const w = Math.max(1, (layout.width[item] ?? 0) * scale);
    const last = Math.min(bars.length - 1, Math.floor((x + w) / BAR_PX));
    for (let bar = Math.floor(x / BAR_PX); bar <= last; bar++)
      bars[bar] = (bars[bar] ?? 0) + (one?.rows ?? 0) / (w / BAR_PX + 1);
    if (one?.kind === "compaction" && x - compactedPx > COMPACTION_STEP_PX) {
      compactedPx = x;
      ctx.fillStyle = colours["fg-3"];
      ctx.fillRect(x, 16, 1, size.height - 20);
      ctx.fillRect(x + 3, 16, 1, size.height - 20);
    }
    if ((one?.errors ?? 0) > 0 && x - errorPx > ERROR_STEP_PX) {
      errorPx = x;
      cross({ ctx, colours }, { x: x + w / 2, y: 8, r: 2.5 }, colours.err, colours.panel);
    }
  }
  const highest = Math.max(1, ...bars);
  ctx.fillStyle = colours["line-3"];
  for (const [bar, rows] of bars.entries()) {
    if (rows > 0)
      ctx.fillRect(
        bar * BAR_PX,
        BASE_PX - 3 - 9 * Math.sqrt(rows / highest),
        2,
        3 + 9 * Math.sqrt(rows / highest),
      );
  }
  ctx.fillStyle = colours.lanes[0] ?? colours.fg;
  ctx.fillRect(0, BASE_PX + 2, size.width, 1);
  for (const [line, { lane }] of lines.entries()) {
    if (line === 0) continue;
    const row = layout.row[line] ?? 0;
    const y =
      row < 0
        ? Math.max(13, 24 - Math.min(3, -row) * 4)
        : Math.min(size.height - 4, BASE_PX + 4 + Math.min(3, row) * 4);
    ctx.fillStyle = colours.lanes[((lane - 1) % 8) + 1] ?? colours.fg;
    const x = (layout.lineX0[line] ?? 0) * scale;
    ctx.fillRect(x, y, Math.max(2, ((layout.lineX1[line] ?? 0) - (layout.lineX0[line] ?? 0)) * scale), 2);
  }
}
