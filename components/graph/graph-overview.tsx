import { type PointerEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { CameraStore } from "./camera-store";
import { drawOverview } from "./draw-overview";
import { panCamera } from "./graph-camera";
import { useGraphColours } from "./graph-colours";
import type { OpenGraph } from "./use-graph";

const OVERVIEW_PX = 53;

/** The whole graph in one strip, and what part of it the picture shows; press or drag to look elsewhere. */
export function GraphOverview({ graph, store }: { graph: OpenGraph; store: CameraStore }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLSpanElement>(null);
  const colours = useGraphColours();
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
    if (event.buttons !== 1) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const { camera, size } = store;
    const wanted = ((event.clientX - left) / width) * widthPx - size.width / camera.scale / 2;
    store.set(panCamera(camera, (wanted - camera.x) * camera.scale, 0, graph.layout, size));
  };
  return (
    <div
      ref={box}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        goTo(event);
      }}
      onPointerMove={goTo}
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
