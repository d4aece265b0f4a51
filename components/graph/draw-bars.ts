import { lineY, type Scene, screenX } from "./draw-scene";
import { rowScale } from "./graph-camera";
import { lastAtOrBefore } from "./graph-find";
import type { GraphItem } from "./graph-item";

/** Below this distance on the screen two bars cannot be told apart, and one stands for both. */
const LEAST_STEP_PX = 1.5;
const BAR_PX = 36;

/** A line from far away: bars for its items, above them errors, below them edits. A path a colour, filled once. */
export function drawBars(scene: Scene, line: number): void {
  const { camera, colours, size } = scene;
  if (lineY(scene, line) < -40 || lineY(scene, line) > size.height + 40) return;
  const h = Math.max(3, BAR_PX * Math.min(0.35, rowScale(camera.scale)));
  fillBars(
    scene,
    line,
    colours["line-3"],
    -h / 2,
    h,
    ({ kind }) => kind === "run" || kind === "group" || kind === "row",
  );
  fillBars(scene, line, colours.fg, -h / 2, h, ({ kind }) => kind === "turn");
  fillBars(scene, line, colours["fg-2"], -h, h * 2, ({ kind }) => kind === "compaction");
  fillBars(scene, line, colours.err, -h / 2 - 5, 3, ({ errors }) => errors > 0);
  fillBars(scene, line, colours.edit, h / 2 + 2, 3, ({ edits }) => edits > 0);
}

function fillBars(
  scene: Scene,
  line: number,
  colour: string,
  dy: number,
  h: number,
  shown: (item: GraphItem) => boolean,
): void {
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
    if (x - drawnPx < LEAST_STEP_PX || !item || !shown(item)) continue;
    drawnPx = x;
    ctx.rect(x, y, Math.max(1, (layout.width[i] ?? 0) * camera.scale), h);
  }
  ctx.fillStyle = colour;
  ctx.fill();
}
