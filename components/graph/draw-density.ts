import { lineY, type Scene, screenX } from "./draw-scene";
import { lastAtOrBefore } from "./graph-find";

/** Columns of the histogram; items that are smaller than this on the screen are no longer seen one by one. */
const COLUMN_PX = 3;
const MOST_PX = 34;
const LEAST_PX = 2;
const MARK_PX = 3;

/** True where most items of the main line are narrower than a column. */
export function isDense({ layout, camera }: Scene): boolean {
  const { from = 0, to = 0 } = layout.model.lines[0] ?? {};
  return layout.widthPx * camera.scale < (to - from) * COLUMN_PX;
}

/**
 * The main line of a long session from far away: how much was done where, what failed above it, what was
 * changed below. A path a colour, filled once.
 */
export function drawDensity(scene: Scene, line: number): void {
  const { ctx, layout, camera, size, colours } = scene;
  const { items, lines } = layout.model;
  const { from = 0, to = 0 } = lines[line] ?? {};
  const columns = Math.ceil(size.width / COLUMN_PX) + 1;
  const rows = new Float64Array(columns);
  const errors = new Float64Array(columns);
  const edits = new Float64Array(columns);
  const right = camera.x + size.width / camera.scale;
  for (let i = lastAtOrBefore(layout, line, camera.x) ?? from; i < to && (layout.x[i] ?? 0) <= right; i++) {
    const item = items[i];
    const column = Math.floor(screenX(scene, (layout.x[i] ?? 0) + (layout.width[i] ?? 0) / 2) / COLUMN_PX);
    if (!item || column < 0 || column >= columns) continue;
    rows[column] = (rows[column] ?? 0) + item.rows + item.turns;
    errors[column] = (errors[column] ?? 0) + item.errors;
    edits[column] = (edits[column] ?? 0) + item.edits;
  }
  const y = lineY(scene, line);
  bars(ctx, rows, colours["line-3"], (px) => [y - px, px]);
  bars(ctx, edits, colours.edit, (px) => [y + 4, Math.max(MARK_PX, px / 2)]);
  bars(ctx, errors, colours.err, (px) => [y - MOST_PX - 8 - px / 2, Math.max(MARK_PX, px / 2)]);
}

function bars(
  ctx: CanvasRenderingContext2D,
  values: Float64Array,
  colour: string,
  place: (px: number) => [y: number, h: number],
): void {
  const most = Math.max(1, ...values);
  ctx.beginPath();
  for (const [column, value] of values.entries()) {
    if (value === 0) continue;
    const [y, h] = place(LEAST_PX + (MOST_PX - LEAST_PX) * Math.sqrt(value / most));
    ctx.rect(column * COLUMN_PX, y, COLUMN_PX - 1, h);
  }
  ctx.fillStyle = colour;
  ctx.fill();
}
