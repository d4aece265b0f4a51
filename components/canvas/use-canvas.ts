import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from "react";

/** Where the reader is in a picture: it changes with every frame of a gesture, so it lives outside of React's state. */
type View = {
  size: { width: number; height: number };
  subscribe: (listener: () => void) => () => void;
};

/**
 * Draws a canvas of the view's size as soon as the view or the scene changes, at most once a frame, and nothing while
 * the scene is `null`. The context's unit is a pixel of the page.
 */
export function useDrawing<Scene>(
  canvas: RefObject<HTMLCanvasElement | null>,
  view: View,
  scene: Scene | null,
  draw: (ctx: CanvasRenderingContext2D, scene: Scene) => void,
): void {
  const paint = useEffectEvent(() => {
    const element = canvas.current;
    const ctx = element?.getContext("2d", { alpha: false });
    if (!element || !ctx || scene === null) return;
    const ratio = window.devicePixelRatio;
    const width = Math.round(view.size.width * ratio);
    const height = Math.round(view.size.height * ratio);
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(ctx, scene);
  });
  useLayoutEffect(() => {
    if (scene === null) return;
    let frame = requestAnimationFrame(() => paint());
    const unsubscribe = view.subscribe(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => paint());
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [view, scene]);
}

const SETTLED_MS = 150;

/** Calls `look` once a view has stood still for a moment: at first, after each move, and with another `picture`. */
export function useSettled({ subscribe }: Pick<View, "subscribe">, picture: unknown, look: () => void): void {
  const settled = useEffectEvent(look);
  useEffect(() => {
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => settled(), SETTLED_MS);
    };
    wait();
    const unsubscribe = subscribe(wait);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [subscribe, picture]);
}
