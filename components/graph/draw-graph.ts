import { drawBars } from "./draw-bars";
import { drawDensity, isDense } from "./draw-density";
import { drawItem } from "./draw-items";
import { drawConnection, drawLabel, drawSpine } from "./draw-lines";
import { BARS_SCALE, drawWords, lineY, type Scene, screenX, WORDS_SCALE } from "./draw-scene";
import { rowScale } from "./graph-camera";
import { lastAtOrBefore } from "./graph-find";
import { ROW_PX } from "./graph-layout";

const BESIDE_PX = 400;
/** A narrower picture has no margin to spare. */
const SIDES_PX = 640;

/** Draws what is in view, and of that what can be told apart. `prompts`: turn → its first words, where known. */
export function drawGraph(scene: Scene, prompts: ReadonlyMap<number, string>): void {
  const { ctx, size, layout, colours } = scene;
  const { lines } = layout.model;
  ctx.fillStyle = colours.bg;
  ctx.fillRect(0, 0, size.width, size.height);
  drawTurnColumns(scene, prompts);
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
  for (const line of inView) drawLabel(scene, line);
  if (!far) drawSides(scene);
}

/** What stands above and below the main line, in the margin before its beginning. */
function drawSides(scene: Scene): void {
  const { layout, colours, camera, size } = scene;
  if (camera.scale < WORDS_SCALE || camera.x > 0 || size.width < SIDES_PX) return;
  const step = ROW_PX * rowScale(camera.scale);
  const y = lineY(scene, 0);
  const style = { colour: colours["fg-3"], bold: true, halo: true };
  drawWords(scene, "Main", 10, y - 0.45 * step, style);
  if (layout.top < 0) drawWords(scene, "Agents", 10, y - step, style);
  if (layout.bottom > 0) drawWords(scene, "Branches", 10, y + step, style);
}

function isInView(scene: Scene, line: number): boolean {
  const { layout, size } = scene;
  const own = layout.model.lines[line];
  const parent = own && own.leaves !== -1 ? (layout.model.lineOf[own.leaves] ?? line) : line;
  const [y0, y1] = [lineY(scene, line), lineY(scene, parent)];
  if (Math.max(y0, y1) < -30 || Math.min(y0, y1) > size.height + 30) return false;
  // Words stand behind a branch's end.
  return (
    screenX(scene, layout.lineX1[line] ?? 0) > -BESIDE_PX &&
    screenX(scene, layout.lineX0[line] ?? 0) < size.width + 60
  );
}

function drawItems(scene: Scene, line: number): void {
  const { layout, camera, size } = scene;
  const { from = 0, to = 0 } = layout.model.lines[line] ?? {};
  const y = lineY(scene, line);
  if (y < -40 || y > size.height + 40) return;
  const first = lastAtOrBefore(layout, line, camera.x) ?? from;
  const right = camera.x + size.width / camera.scale;
  for (let item = first; item < to && (layout.x[item] ?? 0) <= right; item++) drawItem(scene, line, item);
}

/** Where turns of the main line begin: a hairline down the picture, number and prompt at its head. */
function drawTurnColumns(scene: Scene, prompts: ReadonlyMap<number, string>): void {
  const { layout, camera, size, ctx, colours } = scene;
  const { items, lines } = layout.model;
  const { from = 0, to = 0 } = lines[0] ?? {};
  const first = lastAtOrBefore(layout, 0, camera.x) ?? from;
  const right = camera.x + size.width / camera.scale;
  const heads: { item: number; x: number }[] = [];
  for (let item = first; item < to && (layout.x[item] ?? 0) <= right; item++) {
    if (items[item]?.kind !== "turn") continue;
    const x = screenX(scene, layout.x[item] ?? 0);
    const before = heads.at(-1);
    if (before && x - before.x < 34) continue;
    heads.push({ item, x });
  }
  ctx.fillStyle = colours.line;
  for (const { x } of heads) ctx.fillRect(Math.round(x), 26, 1, size.height - 26);
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, size.width, 25);
  ctx.fillStyle = colours["line-2"];
  ctx.fillRect(0, 25, size.width, 1);
  for (const [index, { item, x }] of heads.entries()) {
    const turn = items[item]?.turn ?? 0;
    const room = (heads[index + 1]?.x ?? size.width) - x - 12;
    const words = prompts.get(turn);
    const isSelected = item === scene.selected;
    drawWords(scene, words ? `${turn}  ${words}` : String(turn), x + 5, 13, {
      colour: isSelected ? colours.fg : colours["fg-2"],
      bold: isSelected,
      mostPx: Math.max(20, room),
    });
  }
}

/** The first and the last turn of the main line that are on screen, `null` where none is. */
export function visibleTurns({
  layout,
  camera,
  size,
}: Pick<Scene, "layout" | "camera" | "size">): [number, number] | null {
  const { items, lines } = layout.model;
  const { from = 0, to = 0 } = lines[0] ?? {};
  if (to === from) return null;
  const first = lastAtOrBefore(layout, 0, camera.x) ?? from;
  const last = lastAtOrBefore(layout, 0, camera.x + size.width / camera.scale) ?? from;
  return [items[first]?.turn ?? 0, items[last]?.turn ?? 0];
}
