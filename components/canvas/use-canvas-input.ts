import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";

/** In pixels from the canvas's upper left corner. */
export type Point = { x: number; y: number };

/** What a reader does with a picture. */
export type CanvasGestures = {
  /** A pinch, or a wheel turned with Ctrl, ⌘ or Alt: nearer by a factor around a point. */
  zoom: (by: number, at: Point) => void;
  /** A wheel turned otherwise, by pixels. Answers whether it was taken: what was not scrolls the page. */
  wheel: (by: Point, shiftKey: boolean) => boolean;
  /** Two fingers that move along together, by pixels. */
  moveAlong?: (by: Point) => void;
  /** A press that moves: where it began, where it was last, and where it is now. */
  drag: (press: { start: Point; before: Point; now: Point; byTouch: boolean; byMiddle: boolean }) => void;
  /** A drag that ended. */
  drop?: () => void;
  /** A press that did not move. */
  tap: (at: Point, how: { double: boolean; byTouch: boolean }) => void;
};

const DRAG_PX = 4;
const WHEEL_ZOOM = 0.0022;
const PINCH_ZOOM = 0.012;
/** A pinch on a touchpad comes as a wheel that turns by less than a notch. */
const NOTCH_PX = 40;
const LINE_PX = 16;
const DOUBLE_MS = 350;
const DOUBLE_PX = 8;

/**
 * Wheel, drag, pinch and taps on a canvas.
 *
 * @param axis along which a press has to move to be a drag: the other one is the page's own to scroll
 */
export function useCanvasInput(
  canvas: RefObject<HTMLCanvasElement | null>,
  gestures: CanvasGestures,
  axis: "x" | "both" = "both",
) {
  const pointers = useRef(new Map<number, Point>());
  const press = useRef<{ start: Point; moved: boolean }>({ start: { x: 0, y: 0 }, moved: false });
  const lastTap = useRef({ atMs: 0, x: 0, y: 0 });

  const onWheel = useEffectEvent((event: WheelEvent) => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      event.preventDefault();
      const rate = Math.abs(event.deltaY) < NOTCH_PX ? PINCH_ZOOM : WHEEL_ZOOM;
      gestures.zoom(Math.exp(-event.deltaY * unit * rate), pointIn(event.currentTarget as Element, event));
    } else if (gestures.wheel({ x: event.deltaX * unit, y: event.deltaY * unit }, event.shiftKey))
      event.preventDefault();
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    // A passive listener could not prevent the page from zooming on a pinch.
    const listener = (event: WheelEvent) => onWheel(event);
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [canvas]);

  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button > 1) return;
    const start = pointIn(event.currentTarget, event);
    event.currentTarget.setPointerCapture(event.pointerId);
    if (pointers.current.size === 0) press.current = { start, moved: false };
    pointers.current.set(event.pointerId, start);
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = pointIn(event.currentTarget, event);
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    const distance = (a: Point, b: Point) =>
      axis === "x" ? Math.abs(a.x - b.x) : Math.hypot(a.x - b.x, a.y - b.y);
    const { start, moved } = press.current;
    if (!moved && !other && distance(start, now) <= DRAG_PX) return;
    press.current.moved = true;
    pointers.current.set(event.pointerId, now);
    if (other) {
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      gestures.zoom(distance(now, other) / Math.max(1, distance(before, other)), middle);
      gestures.moveAlong?.({ x: (before.x - now.x) / 2, y: (before.y - now.y) / 2 });
    } else {
      const byTouch = event.pointerType === "touch";
      gestures.drag({ start, before, now, byTouch, byMiddle: event.buttons === 4 });
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!pointers.current.delete(event.pointerId)) return;
    if (press.current.moved && pointers.current.size === 0) gestures.drop?.();
    if (press.current.moved || event.type === "pointercancel") return;
    const at = pointIn(event.currentTarget, event);
    const { atMs, x, y } = lastTap.current;
    const double = event.timeStamp - atMs < DOUBLE_MS && Math.hypot(at.x - x, at.y - y) < DOUBLE_PX;
    lastTap.current = { atMs: double ? 0 : event.timeStamp, ...at };
    gestures.tap(at, { double, byTouch: event.pointerType === "touch" });
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}

/** An event's position in pixels from the element's upper left corner. */
export function pointIn(
  element: Element,
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}
