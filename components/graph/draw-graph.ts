import { hasSides, rowScale } from "./camera";
import { drawItem } from "./draw-items";
import { drawConnection, drawLabel, drawSpine, labelEnds } from "./draw-lines";
import { BARS_SCALE, drawText, type GraphScene, LABELS_SCALE, lineY, screenX } from "./draw-scene";
import { lastAtOrBefore } from "./graph-find";
import { ROW_PX } from "./graph-layout";
import type { GraphItem } from "./graph-model";

const BESIDE_PX = 400;

/**
 * Draws what is in view, at the level of detail the scale allows. `prompts`: turn → start of its prompt, where known.
 */
export function drawGraph(scene: GraphScene, prompts: ReadonlyMap<number, string>): void {
  const { ctx, size, layout, colours } = scene;
  const { lines } = layout.model;
  ctx.fillStyle = colours.bg;
  ctx.fillRect(0, 0, size.width, size.height);
  const heads = turnHeads(scene);
  drawTurnColumns(scene, heads);
  const inView: number[] = [];
  for (let line = 0; line < lines.length; line++) if (isInView(scene, line)) inView.push(line);
  for (const line of inView) drawConnection(scene, line);
  for (const line of inView) drawSpine(scene, line);
  const far = scene.camera.scale < BARS_SCALE;
  const dense = far && isDense(scene);
  const draw = far ? drawBars : drawItems;
  for (const line of inView) {
    if (dense && line === 0) drawDensity(scene, line);
    else draw(scene, line);
  }
  if (far)
    for (const item of [scene.hovered, scene.selected])
      if (item !== null) drawItem(scene, layout.model.lineOf[item] ?? 0, item);
  const ends = labelEnds(scene, inView);
  const above = new Set(
    inView.map((line) => ((layout.row[line] ?? 0) < 0 ? (lines[line]?.parent ?? -1) : -1)),
  );
  for (const line of inView)
    drawLabel(scene, line, ends.get(line) ?? Number.POSITIVE_INFINITY, above.has(line));
  if (!far) drawSides(scene, inView);
  // Last: in a low view lines and their labels pass below the turns' titles.
  drawTurnHeads(scene, heads, prompts);
}

/** Labels in the left margin for the main line and what is above and below it. */
function drawSides(scene: GraphScene, inView: readonly number[]): void {
  const { layout, colours, camera, size } = scene;
  if (camera.scale < LABELS_SCALE || camera.x > 0 || !hasSides(size)) return;
  const step = ROW_PX * rowScale(camera.scale);
  const y = lineY(scene, 0);
  const style = { colour: colours["fg-3"], bold: true, halo: true };
  // Where a line itself reaches into the margin, there is no label.
  const isFree = (row: number) =>
    inView.every(
      (line) => layout.row[line] !== row || screenX(scene, layout.lineX0[line] ?? 0) > SIDE_LABEL_PX,
    );
  if (isFree(0)) drawText(scene, "Main", 10, y, style);
  if (layout.top < 0 && isFree(-1)) drawText(scene, "Agents", 10, y - step, style);
  if (layout.bottom > 0 && isFree(1)) drawText(scene, "Branches", 10, y + step, style);
}

/** Room for the longest of the margin's labels. */
const SIDE_LABEL_PX = 70;

function isInView(scene: GraphScene, line: number): boolean {
  const { layout, size } = scene;
  const own = layout.model.lines[line];
  const parent = own && own.leaves !== -1 ? (layout.model.lineOf[own.leaves] ?? line) : line;
  const [y0, y1] = [lineY(scene, line), lineY(scene, parent)];
  if (Math.max(y0, y1) < -30 || Math.min(y0, y1) > size.height + 30) return false;
  // The label follows the branch's end.
  return (
    screenX(scene, layout.lineX1[line] ?? 0) > -BESIDE_PX &&
    screenX(scene, layout.lineX0[line] ?? 0) < size.width + 60
  );
}

function drawItems(scene: GraphScene, line: number): void {
  const { layout, camera, size } = scene;
  const { from = 0, to = 0 } = layout.model.lines[line] ?? {};
  const y = lineY(scene, line);
  if (y < -40 || y > size.height + 40) return;
  const first = lastAtOrBefore(layout, line, camera.x) ?? from;
  const right = camera.x + size.width / camera.scale;
  for (let item = first; item < to && (layout.x[item] ?? 0) <= right; item++) drawItem(scene, line, item);
}

/** A turn of the main line in view, and where its column begins on screen. */
type TurnHead = { item: number; x: number };

/** The turns that have a column of their own: of some that begin at nearly the same place the first. */
function turnHeads(scene: GraphScene): TurnHead[] {
  const { layout, camera, size } = scene;
  const { items, lines } = layout.model;
  const { from = 0, to = 0 } = lines[0] ?? {};
  const first = lastAtOrBefore(layout, 0, camera.x) ?? from;
  const right = camera.x + size.width / camera.scale;
  const heads: TurnHead[] = [];
  for (let item = first; item < to && (layout.x[item] ?? 0) <= right; item++) {
    if (items[item]?.kind !== "turn") continue;
    const x = screenX(scene, layout.x[item] ?? 0);
    const before = heads.at(-1);
    if (before && x - before.x < 34) continue;
    heads.push({ item, x });
  }
  // A turn that began to the left of the view has its number at the edge.
  const beginsBefore = (layout.x[first] ?? 0) < camera.x && items[first]?.kind !== "group";
  if (beginsBefore && (heads[0]?.x ?? size.width) > 0) heads.unshift({ item: first, x: EDGE_X });
  return heads;
}

/** Left of the view: where a column began that is in view for its rest. */
const EDGE_X = -1;

/** A vertical hairline where each turn begins. */
function drawTurnColumns({ ctx, colours, size }: GraphScene, heads: readonly TurnHead[]): void {
  ctx.fillStyle = colours.line;
  for (const { x } of heads) ctx.fillRect(Math.round(x), 26, 1, size.height - 26);
}

/** The header over the columns: number and prompt of each turn. */
function drawTurnHeads(
  scene: GraphScene,
  heads: readonly TurnHead[],
  prompts: ReadonlyMap<number, string>,
): void {
  const { layout, size, ctx, colours } = scene;
  const { items } = layout.model;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, size.width, 25);
  ctx.fillStyle = colours["line-2"];
  ctx.fillRect(0, 25, size.width, 1);
  for (const [index, { item, x }] of heads.entries()) {
    const turn = items[item]?.turn ?? 0;
    const from = Math.max(0, x);
    const room = (heads[index + 1]?.x ?? size.width) - from - 12;
    if (turn === 0 || room < MIN_HEAD_PX) continue;
    const prompt = prompts.get(turn);
    const isSelected = item === scene.selected;
    drawText(scene, prompt ? `${turn}  ${prompt}` : String(turn), from + 5, 13, {
      colour: isSelected ? colours.fg : colours["fg-2"],
      bold: isSelected,
      maxPx: room,
    });
  }
}

/** Room for a turn's number. */
const MIN_HEAD_PX = 20;

/** The first and last turn of the main line on screen; `null` if the main line is empty. */
export function visibleTurns({
  layout,
  camera,
  size,
}: Pick<GraphScene, "layout" | "camera" | "size">): [number, number] | null {
  const { items, lines } = layout.model;
  const { from = 0, to = 0 } = lines[0] ?? {};
  if (to === from) return null;
  const first = lastAtOrBefore(layout, 0, camera.x) ?? from;
  const last = lastAtOrBefore(layout, 0, camera.x + size.width / camera.scale) ?? from;
  return [items[first]?.turn ?? 0, items[last]?.turn ?? 0];
}

/** Bars closer than this on screen can't be distinguished, so one represents both. */
const MIN_STEP_PX = 1.5;
const BAR_PX = 36;

/** A line when zoomed out: bars for its items, errors above, edits below. One path per colour, filled once. */
function drawBars(scene: GraphScene, line: number): void {
  const { camera, colours, size } = scene;
  if (lineY(scene, line) < -40 || lineY(scene, line) > size.height + 40) return;
  const h = Math.max(3, BAR_PX * Math.min(0.35, rowScale(camera.scale)));
  const fill = (colour: string, dy: number, tall: number, shown: Shown) =>
    fillBars(scene, line, { dy, tall, shown }, colour);
  fill(colours["line-3"], -h / 2, h, ({ kind }) => kind === "run" || kind === "group" || kind === "row");
  fill(colours.fg, -h / 2, h, ({ kind }) => kind === "turn");
  fill(colours["fg-2"], -h, h * 2, ({ kind }) => kind === "compaction");
  fill(colours.err, -h / 2 - 5, 3, ({ errors }) => errors > 0);
  fill(colours.edit, h / 2 + 2, 3, ({ edits }) => edits > 0);
}

/** Which items of a line have a bar. */
type Shown = (item: GraphItem) => boolean;

/** Bars of one kind: how far below their line they begin, and how tall they are, in pixels. */
type Bars = { dy: number; tall: number; shown: Shown };

function fillBars(scene: GraphScene, line: number, { dy, tall, shown }: Bars, colour: string): void {
  const { ctx, layout, camera, size } = scene;
  const { items, lines } = layout.model;
  const { from = 0, to = 0 } = lines[line] ?? {};
  const right = camera.x + size.width / camera.scale;
  const y = lineY(scene, line) + dy;
  let drawnPx = Number.NEGATIVE_INFINITY;
  ctx.beginPath();
  for (let i = lastAtOrBefore(layout, line, camera.x) ?? from; i < to && (layout.x[i] ?? 0) <= right; i++) {
    const x = screenX(scene, layout.x[i] ?? 0);
    const item = items[i];
    if (x - drawnPx < MIN_STEP_PX || !item || !shown(item)) continue;
    drawnPx = x;
    ctx.rect(x, y, Math.max(1, (layout.width[i] ?? 0) * camera.scale), tall);
  }
  ctx.fillStyle = colour;
  ctx.fill();
}

/** Width of a histogram column. Items narrower than this on screen are no longer drawn one by one. */
const COLUMN_PX = 3;
const MAX_COLUMN_PX = 34;
const MIN_COLUMN_PX = 2;
const MARK_PX = 3;

/** Whether most items of the main line are narrower than a column. */
function isDense({ layout, camera }: GraphScene): boolean {
  const { from = 0, to = 0 } = layout.model.lines[0] ?? {};
  return layout.widthPx * camera.scale < (to - from) * COLUMN_PX;
}

/**
 * The main line of a long session when zoomed out, as a histogram: work as columns, errors above, edits below. One path
 * per colour, filled once.
 */
function drawDensity(scene: GraphScene, line: number): void {
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
  bars(ctx, errors, colours.err, (px) => [y - MAX_COLUMN_PX - 8 - px / 2, Math.max(MARK_PX, px / 2)]);
}

function bars(
  ctx: CanvasRenderingContext2D,
  values: Float64Array,
  colour: string,
  barAt: (px: number) => [y: number, h: number],
): void {
  const highest = Math.max(1, ...values);
  ctx.beginPath();
  for (const [column, value] of values.entries()) {
    if (value === 0) continue;
    const [y, h] = barAt(MIN_COLUMN_PX + (MAX_COLUMN_PX - MIN_COLUMN_PX) * Math.sqrt(value / highest));
    ctx.rect(column * COLUMN_PX, y, COLUMN_PX - 1, h);
  }
  ctx.fillStyle = colour;
  ctx.fill();
}
