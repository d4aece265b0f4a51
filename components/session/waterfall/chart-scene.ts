import type { CanvasColours } from "@/components/canvas/canvas-colours";
import type { RowTexts } from "./row-words";
import type { ChartSize, WaterfallStore } from "./waterfall-store";

/** Everything the chart is drawn from. */
export type ChartScene = {
  ctx: CanvasRenderingContext2D;
  store: WaterfallStore;
  colours: CanvasColours;
  mono: string;
  texts: RowTexts;
  selected: number;
  focused: boolean;
  /** While the session is at work, now. */
  nowMs: number | null;
};

export const BAR_PX = 10;
const MIN_BAR_PX = 2;
/** Far enough beside the canvas for an edge there not to show. */
export const ASIDE_PX = 20;

/** An x of the canvas. */
export function xOf({ store }: ChartScene, ms: number): number {
  return store.size.names + store.pxOf(ms);
}

/**
 * The part of a stretch that is in view, at least `least` pixels wide; `null` for one beside it. What reaches far
 * beyond the canvas costs as if it were seen: a dashed line is laid out dash by dash.
 */
export function inView(
  { names, width }: ChartSize,
  from: number,
  to: number,
  least = MIN_BAR_PX,
): { left: number; wide: number } | null {
  const left = Math.max(names - ASIDE_PX, from);
  const wide = Math.min(width + ASIDE_PX, Math.max(to, from + least)) - left;
  return wide > 0 ? { left, wide } : null;
}
