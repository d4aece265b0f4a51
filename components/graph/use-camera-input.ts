import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import type { CameraStore } from "./camera-store";
import { type Camera, panCamera, rowScale, zoomCamera } from "./graph-camera";
import { type GraphLayout, ROW_PX } from "./graph-layout";

const DRAG_PX = 4;
const WHEEL_ZOOM = 0.0022;
const PINCH_ZOOM = 0.012;

type Point = { x: number; y: number };

/** Wheel, drag and pinch on the picture; `onTap` is told where a press ended that moved nothing. */
export function useCameraInput(
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
    // Not passive: a pinch would zoom the page.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { camera, size } = store;
      const at = placeOf(element, event);
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        const rate = Math.abs(event.deltaY) < 40 ? PINCH_ZOOM : WHEEL_ZOOM;
        return store.set(zoomCamera(camera, Math.exp(-event.deltaY * unit * rate), at, newest.current, size));
      }
      // What fits whole does not move up and down: the wheel goes along the session then.
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
    pointers.current.set(event.pointerId, placeOf(event.currentTarget, event));
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = placeOf(event.currentTarget, event);
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
    const at = placeOf(event.currentTarget, event);
    const double = event.timeStamp - lastTap.current.atMs < 350 && distance(at, lastTap.current) < 8;
    lastTap.current = { atMs: double ? 0 : event.timeStamp, ...at };
    onTap(at, double, event.pointerType === "touch");
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}

function fitsWhole({ top, bottom }: GraphLayout, { scale }: Camera, heightPx: number): boolean {
  return (bottom - top + 2) * ROW_PX * rowScale(scale) <= heightPx;
}

/** Where an event happened, in pixels from the upper left corner of the element. */
export function placeOf(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
