import type { CanvasColours } from "@/components/canvas/canvas-colours";
import { LANE_PATHS, laneIndex } from "@/components/ui/marks";
import type { RowMark } from "./graph-model";

const SHAPES: Path2D[] = [];

/** A lane's shape centred at a point, outlined in the background colour. */
export function drawShape(
  ctx: CanvasRenderingContext2D,
  colours: CanvasColours,
  lane: number,
  x: number,
  y: number,
  scale: number,
): void {
  const index = laneIndex(lane);
  SHAPES[index] ??= new Path2D(LANE_PATHS[index]);
  ctx.save();
  ctx.translate(x - 5.5 * scale, y - 5.5 * scale);
  ctx.scale(1.1 * scale, 1.1 * scale);
  ctx.lineWidth = 2.4;
  ctx.strokeStyle = colours.bg;
  ctx.stroke(SHAPES[index]);
  ctx.fillStyle = colours.lanes[index] ?? colours.fg;
  ctx.fill(SHAPES[index]);
  ctx.restore();
}

/** A row's mark, as in the rail, centred at a point. */
export function drawMark(
  ctx: CanvasRenderingContext2D,
  colours: CanvasColours,
  mark: RowMark,
  x: number,
  y: number,
  s: number,
): void {
  switch (mark) {
    case "edit":
      return diamond(ctx, colours.edit, colours.bg, x, y, 5 * s);
    case "error":
      return cross(ctx, colours.err, colours.bg, x, y, 3.5 * s);
    case "denied":
      ring(ctx, colours.warn, colours.bg, x, y, 4.2 * s);
      return line(ctx, colours.warn, 1.5, x - 2.8 * s, y - 2.8 * s, x + 2.8 * s, y + 2.8 * s);
    case "timed-out":
      ring(ctx, colours.err, colours.bg, x, y, 4.5 * s);
      line(ctx, colours.err, 1.3, x, y - 2.6 * s, x, y);
      return line(ctx, colours.err, 1.3, x, y, x + 2 * s, y + 1.3 * s);
    case "interrupted":
      ctx.fillStyle = colours.bg;
      ctx.strokeStyle = colours["fg-2"];
      ctx.lineWidth = 1.5;
      ctx.fillRect(x - 3.5 * s, y - 3.5 * s, 7 * s, 7 * s);
      return ctx.strokeRect(x - 3.5 * s, y - 3.5 * s, 7 * s, 7 * s);
    case "no-result":
    case "thinking":
      return ring(ctx, colours.lanes[0] ?? colours.fg, colours.bg, x, y, 3 * s);
    case "prompt":
      ctx.fillStyle = colours.fg;
      return ctx.fillRect(x - 6 * s, y - 4 * s, 12 * s, 8 * s);
    case "tool":
      return dot(ctx, colours.lanes[0] ?? colours.fg, colours.bg, x, y, 3.5 * s);
    case "text":
    case "other":
      return dot(ctx, colours.lanes[0] ?? colours.fg, colours.bg, x, y, 2.5 * s);
  }
}

/** Draws a mark centred at a point, `r` pixels in each direction; `ground` outlines it against what is below. */
type DrawMark = (
  ctx: CanvasRenderingContext2D,
  colour: string,
  ground: string,
  x: number,
  y: number,
  r: number,
) => void;

/** An edit. */
export const diamond: DrawMark = (ctx, colour, ground, x, y, r) => {
  ctx.beginPath();
  ctx.moveTo(x, y - r);
  ctx.lineTo(x + r, y);
  ctx.lineTo(x, y + r);
  ctx.lineTo(x - r, y);
  ctx.closePath();
  fill(ctx, colour, ground);
};

/** An error. */
export const cross: DrawMark = (ctx, colour, ground, x, y, r) => {
  for (const [stroke, width] of [
    [ground, 5],
    [colour, 2],
  ] as const) {
    line(ctx, stroke, width, x - r, y - r, x + r, y + r);
    line(ctx, stroke, width, x + r, y - r, x - r, y + r);
  }
};

/** A denied or timed-out call, one without a result, or thinking. */
export const ring: DrawMark = (ctx, colour, ground, x, y, r) => {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = colour;
  ctx.stroke();
};

const dot: DrawMark = (ctx, colour, ground, x, y, r) => {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  fill(ctx, colour, ground);
};

function fill(ctx: CanvasRenderingContext2D, colour: string, ground: string): void {
  ctx.lineWidth = 2;
  ctx.strokeStyle = ground;
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.fill();
}

function line(
  ctx: CanvasRenderingContext2D,
  colour: string,
  width: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}
