import { LANE_PATHS, laneIndex } from "@/components/ui/marks";
import type { GraphScene } from "./draw-scene";
import type { RowMark } from "./graph-model";

const SHAPES: Path2D[] = [];

/** What marks are drawn on, and with. */
type Drawing = Pick<GraphScene, "ctx" | "colours">;

/** A point of the view, in pixels. */
export type ScreenPoint = { x: number; y: number };

/** A lane's shape centred at a point, outlined in the background colour. */
export function drawShape(
  { ctx, colours }: Drawing,
  lane: number,
  { x, y }: ScreenPoint,
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

/** A row's mark, as in the rail, centred at a point. `s`: the view's scale. */
export function drawMark(drawing: Drawing, mark: RowMark, { x, y }: ScreenPoint, s: number): void {
  const { ctx, colours } = drawing;
  const ofMain = colours.lanes[0] ?? colours.fg;
  switch (mark) {
    case "edit":
      return diamond(drawing, { x, y, r: 5 * s }, colours.edit);
    case "error":
      return cross(drawing, { x, y, r: 3.5 * s }, colours.err);
    case "denied":
      ring(drawing, { x, y, r: 4.2 * s }, colours.warn);
      return strokeLine(
        ctx,
        { x: x - 2.8 * s, y: y - 2.8 * s },
        { x: x + 2.8 * s, y: y + 2.8 * s },
        { colour: colours.warn, widthPx: 1.5 },
      );
    case "timed-out": {
      const hand = { colour: colours.err, widthPx: 1.3 };
      ring(drawing, { x, y, r: 4.5 * s }, colours.err);
      strokeLine(ctx, { x, y: y - 2.6 * s }, { x, y }, hand);
      return strokeLine(ctx, { x, y }, { x: x + 2 * s, y: y + 1.3 * s }, hand);
    }
    case "interrupted":
      ctx.fillStyle = colours.bg;
      ctx.strokeStyle = colours["fg-2"];
      ctx.lineWidth = 1.5;
      ctx.fillRect(x - 3.5 * s, y - 3.5 * s, 7 * s, 7 * s);
      return ctx.strokeRect(x - 3.5 * s, y - 3.5 * s, 7 * s, 7 * s);
    case "no-result":
    case "thinking":
      return ring(drawing, { x, y, r: 3 * s }, ofMain);
    case "prompt":
      ctx.fillStyle = colours.fg;
      return ctx.fillRect(x - 6 * s, y - 4 * s, 12 * s, 8 * s);
    case "tool":
      return dot(drawing, { x, y, r: 3.5 * s }, ofMain);
    case "text":
    case "other":
      return dot(drawing, { x, y, r: 2.5 * s }, ofMain);
  }
}

/** Where a mark is centred, and how far it extends in each direction, in pixels. */
type MarkPlace = ScreenPoint & { r: number };

/** Draws a mark. `ground` outlines it against what is below; the background colour without it. */
type DrawMark = (drawing: Drawing, place: MarkPlace, colour: string, ground?: string) => void;

/** An edit. */
export const diamond: DrawMark = ({ ctx, colours }, { x, y, r }, colour, ground = colours.bg) => {
  ctx.beginPath();
  ctx.moveTo(x, y - r);
  ctx.lineTo(x + r, y);
  ctx.lineTo(x, y + r);
  ctx.lineTo(x - r, y);
  ctx.closePath();
  fill(ctx, colour, ground);
};

/** An error. */
export const cross: DrawMark = ({ ctx, colours }, { x, y, r }, colour, ground = colours.bg) => {
  for (const look of [
    { colour: ground, widthPx: 5 },
    { colour, widthPx: 2 },
  ]) {
    strokeLine(ctx, { x: x - r, y: y - r }, { x: x + r, y: y + r }, look);
    strokeLine(ctx, { x: x + r, y: y - r }, { x: x - r, y: y + r }, look);
  }
};

/** A denied or timed-out call, one without a result, or thinking. */
export const ring: DrawMark = ({ ctx, colours }, { x, y, r }, colour, ground = colours.bg) => {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = colour;
  ctx.stroke();
};

const dot: DrawMark = ({ ctx, colours }, { x, y, r }, colour, ground = colours.bg) => {
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

function strokeLine(
  ctx: CanvasRenderingContext2D,
  from: ScreenPoint,
  to: ScreenPoint,
  { colour, widthPx }: { colour: string; widthPx: number },
): void {
  ctx.beginPath();
  ctx.moveTo(from.x, from.y);
  ctx.lineTo(to.x, to.y);
  ctx.lineWidth = widthPx;
  ctx.strokeStyle = colour;
  ctx.stroke();
}
