import { canvasFont } from "@/components/canvas/canvas-colours";
import { textPx } from "@/components/canvas/canvas-text";
import { formatPlural } from "@/lib/format/format";
import { cross, diamond, drawMark, ring, type ScreenPoint } from "./draw-marks";
import {
  BARS_SCALE,
  drawText,
  type GraphScene,
  LABEL_PX,
  LABELS_SCALE,
  lineY,
  screenX,
  TICKS_SCALE,
  textWidth,
} from "./draw-scene";
import type { GraphItem } from "./graph-model";
import { laneAt } from "./use-graph";

/** Draws one item of a line. Its shape shows its kind; its counts are separate marks. */
export function drawItem(scene: GraphScene, line: number, index: number): void {
  const { layout, ctx, camera, colours, selected, hovered } = scene;
  const item = layout.model.items[index];
  if (!item) return;
  const s = Math.min(1.4, camera.scale);
  const x = screenX(scene, layout.x[index] ?? 0);
  const w = Math.max(1, (layout.width[index] ?? 0) * camera.scale);
  const y = lineY(scene, line);
  if (camera.scale >= BARS_SCALE) drawBody(scene, line, index, { x, y, w, s });
  if (index !== selected && index !== hovered) return;
  const h = item.kind === "run" ? 9 : 13;
  ctx.lineWidth = index === selected ? 2 : 1;
  ctx.strokeStyle = index === selected ? colours.accent : colours["fg-2"];
  ctx.beginPath();
  ctx.roundRect(x - 4, y - h * s - 3, w + 8, 2 * h * s + 6, 5);
  ctx.stroke();
}

/** Where an item stands on the screen: from `x`, `w` wide, around the middle of its line; `s` scales what has a height. */
type ItemPlace = { x: number; y: number; w: number; s: number };

function drawBody(scene: GraphScene, line: number, index: number, place: ItemPlace): void {
  const { ctx, colours, camera, behind, layout } = scene;
  const item = layout.model.items[index];
  if (!item) return;
  const { x, y, w, s } = place;
  const labelled = camera.scale >= LABELS_SCALE;
  // Branches have their colours after the item that they leave, which belongs to the stem.
  const lane = laneAt(layout.model, behind, index);
  switch (item.kind) {
    case "group":
      drawBox(ctx, place, 12 * s, { fill: colours.raised, stroke: colours["line-3"], strokePx: 1 });
      if (item.errors > 0) cross(scene, { x: x + w - 8, y: y - 15 * s, r: 3 * s }, colours.err);
      if (item.edits > 0) diamond(scene, { x: x + w - 20, y: y - 15 * s, r: 4 * s }, colours.edit);
      if (!labelled) return;
      drawText(scene, turnsOf(item), x + w / 2, y, {
        colour: colours.fg,
        bold: true,
        align: "center",
        maxPx: w - 4,
      });
      return drawCount(scene, item, x + w / 2, y + 24 * s + RING_PX);
    case "turn":
      ctx.fillStyle = line === 0 ? colours.fg : colours["fg-3"];
      ctx.beginPath();
      ctx.roundRect(x, y - 10 * s, w, 20 * s, 3 * s);
      ctx.fill();
      if (!labelled) return;
      return drawNumber(
        scene,
        turnNumbers(item),
        { x: x + w / 2, y },
        { widePx: w - 2, tallPx: 20 * s - 1.5 },
      );
    case "compaction":
      ctx.fillStyle = colours.bg;
      ctx.fillRect(x, y - 4, w, 8);
      ctx.fillStyle = colours["fg-2"];
      ctx.fillRect(x + w / 2 - 4 * s, y - 16 * s, 2, 32 * s);
      ctx.fillRect(x + w / 2 + 2 * s, y - 16 * s, 2, 32 * s);
      if (!labelled) return;
      // Above the ring of the selection, which may be its neighbour's.
      return drawText(
        scene,
        "compacted",
        x + w / 2,
        y - Math.max(26 * s, 13 * s + RING_PX + (LABEL_PX * colours.unit) / 2),
        { align: "center" },
      );
    case "row":
      drawMark(scene, item.mark ?? "other", { x: x + w / 2, y }, s);
      if (camera.scale >= 0.9 && item.name) {
        const colour = item.errors > 0 ? colours.err : colours["fg-2"];
        ctx.save();
        ctx.translate(x + w / 2 + 2, y - 10 * s);
        ctx.rotate(-Math.PI / 4);
        drawText(scene, item.name, 0, 0, { colour, maxPx: 70 });
        ctx.restore();
      }
      return;
    case "run": {
      const stroke = colours.lanes[lane === 0 ? 0 : ((lane - 1) % 8) + 1] ?? colours.fg;
      drawBox(ctx, place, 8 * s, { fill: colours.bg, stroke, strokePx: 1.5 });
      if (camera.scale >= TICKS_SCALE) drawTicks(scene, item, place);
      else drawCounts(scene, item, place);
      if (labelled && w > 40 && scene.layout.model.lines[line]?.agent === null)
        drawCount(scene, item, x + w / 2, y + 18 * s + RING_PX);
    }
  }
}

/** A turn's number, smaller than other labels where its box would not have room for one of their size. */
function drawNumber(
  { ctx, colours }: GraphScene,
  text: string,
  { x, y }: ScreenPoint,
  { widePx, tallPx }: { widePx: number; tallPx: number },
): void {
  const usual = canvasFont(colours, 600, NUMBER_PX);
  const fits = Math.min(1, widePx / textPx(ctx, usual, text), tallPx / (NUMBER_PX * colours.unit));
  ctx.font = fits < 1 ? canvasFont(colours, 600, NUMBER_PX * fits) : usual;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = colours.bg;
  ctx.fillText(text, x, y + 0.5);
}

const NUMBER_PX = 11;

/** Room below an item for the ring of the selection. */
const RING_PX = 4;

/** The number of an item's rows, below it. Half a number at an edge of the view would be another number. */
function drawCount(scene: GraphScene, { rows }: GraphItem, x: number, y: number): void {
  const text = formatPlural(rows, "row");
  const half = textWidth(scene, text) / 2;
  if (x - half < 0 || x + half > scene.size.width) return;
  drawText(scene, text, x, y, { align: "center" });
}

/** Errors and edits in a run that is too narrow for its rows. */
function drawCounts(scene: GraphScene, item: GraphItem, { x, y, w, s }: ItemPlace): void {
  const { colours } = scene;
  if (item.errors > 0) cross(scene, { x: x + w * 0.7, y, r: 4 * s }, colours.err);
  if (item.edits > 0) diamond(scene, { x: x + w * 0.3, y, r: 5 * s }, colours.edit);
}

/** One tick per row, with edits, errors and denials spread evenly: only the opened run shows their real order. */
function drawTicks(scene: GraphScene, item: GraphItem, { x, y, w, s }: ItemPlace): void {
  const { ctx, colours } = scene;
  const room = Math.max(1, Math.floor((w - 12 * s) / (6 * s)));
  const count = Math.min(item.rows, room);
  const pitch = (w - 12 * s) / Math.max(1, count);
  const marks = [
    ...Array.from({ length: Math.min(4, item.edits) }, () => "edit" as const),
    ...Array.from({ length: Math.min(3, item.errors) }, () => "error" as const),
    ...Array.from({ length: Math.min(2, item.denied) }, () => "denied" as const),
  ].slice(0, Math.max(1, count));
  const every = count / Math.max(1, marks.length);
  let next = 0;
  for (let tick = 0; tick < Math.max(count, marks.length > 0 ? 1 : 0); tick++) {
    const at = x + 6 * s + pitch * (tick + 0.5);
    const mark = tick >= Math.floor(next * every + every / 2) ? marks[next] : undefined;
    if (!mark) {
      ctx.fillStyle = colours["fg-3"];
      ctx.fillRect(at - 0.75, y - 4 * s, 1.5, 8 * s);
      continue;
    }
    next++;
    if (mark === "edit") diamond(scene, { x: at, y, r: 4.5 * s }, colours.edit);
    else if (mark === "error") cross(scene, { x: at, y, r: 3 * s }, colours.err);
    else ring(scene, { x: at, y, r: 3.5 * s }, colours.warn);
  }
}

/** An outlined box, half of it above the middle of its line. */
function drawBox(
  ctx: CanvasRenderingContext2D,
  { x, y, w }: ItemPlace,
  halfPx: number,
  { fill, stroke, strokePx }: { fill: string; stroke: string; strokePx: number },
): void {
  ctx.beginPath();
  ctx.roundRect(x, y - halfPx, w, 2 * halfPx, 4);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = strokePx;
  ctx.strokeStyle = stroke;
  ctx.stroke();
}

/** A turn's number, or a range where prompts were delivered together (a queue in 2.0.42). */
function turnNumbers({ turn, turns }: GraphItem): string {
  return turns > 1 ? `${turn - turns + 1}–${turn}` : String(turn);
}

/** `turns 4–9`, `turn 4`, or the number of rows for a group without prompts. */
export function turnsOf({ turn, turns, rows }: GraphItem): string {
  if (turns === 0) return formatPlural(rows, "row");
  return turns === 1 ? `turn ${turn}` : `turns ${turn - turns + 1}–${turn}`;
}
