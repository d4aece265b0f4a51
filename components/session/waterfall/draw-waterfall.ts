import type { ChartScene } from "./chart-scene";
import { drawGrid, drawHead, drawRange, shownAxis } from "./draw-axis";
import { drawPath, drawTimes } from "./draw-bars";
import { drawNames } from "./draw-names";

/** Draws what is in view. */
export function drawWaterfall(scene: ChartScene): void {
  const { ctx, store, colours } = scene;
  const { size, chart } = store;
  const { width, height, names, head, row: rowPx } = size;
  ctx.fillStyle = colours.bg;
  ctx.fillRect(0, 0, width, height);
  const { from, to } = store.inView();
  const topOf = (index: number) => head + index * rowPx - store.camera.top;
  for (let index = from; index < to; index++) drawGround(scene, index, topOf(index));
  const axis = shownAxis(scene);
  ctx.save();
  ctx.beginPath();
  ctx.rect(names, 0, width - names, height);
  ctx.clip();
  drawGrid(scene, axis);
  for (let index = from; index < to; index++) {
    const row = chart.rows[index];
    if (row) drawTimes(scene, row, topOf(index));
  }
  drawPath(scene, from, to, topOf);
  drawRange(scene);
  ctx.restore();
  drawNames(scene, from, to, topOf);
  drawHead(scene, axis);
  ctx.fillStyle = colours["line-2"];
  ctx.fillRect(names - 1, 0, 1, height);
  if (scene.focused && scene.selected >= from && scene.selected < to) {
    ctx.strokeStyle = colours.accent;
    ctx.lineWidth = 2;
    ctx.strokeRect(1, topOf(scene.selected) + 1, width - 2, rowPx - 2);
  }
}

/** The ground of a line: of a turn's, and of the one that is selected. */
function drawGround({ ctx, store, colours, selected }: ChartScene, index: number, y: number): void {
  const { width, row } = store.size;
  const isTurn = store.chart.rows[index]?.kind === "turn";
  if (index !== selected && !isTurn) return;
  ctx.fillStyle = index === selected ? colours.sel : colours.panel;
  ctx.fillRect(0, y, width, row);
  if (isTurn && index > 0) {
    ctx.fillStyle = colours["line-2"];
    ctx.fillRect(0, y, width, 1);
  }
  if (index !== selected) return;
  ctx.fillStyle = colours.accent;
  ctx.fillRect(0, y, 2, row);
}
