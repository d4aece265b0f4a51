import { canvasFont } from "@/components/canvas/canvas-colours";
import { TextBatch, textPx } from "@/components/canvas/canvas-text";
import { formatDuration } from "@/lib/format/format";
import { ASIDE_PX, type ChartScene, xOf } from "./chart-scene";
import { gapsBetween, ticksOf } from "./time-axis";

const TICK_PX = 96;
/** Signs of gaps that are closer to each other would be a fence, which takes longer to draw than all bars. */
const GAP_STEP_PX = 12;
/** The least room of a gap whose length is told. */
const MIN_GAP_PX = 4;

/** What of the axis is in view. */
export type ShownAxis = {
  ticks: readonly { x: number; label: string }[];
  gaps: readonly { x: number; wide: number; ms: number }[];
};

/** The ticks and gaps of the axis that are in view, in pixels from the chart’s left edge. */
export function shownAxis({ store }: ChartScene): ShownAxis {
  const { size, camera, chart } = store;
  const { names, width } = size;
  const xAt = (place: number) => names + (place - camera.from) / camera.perPx;
  const end = camera.from + (width - names) * camera.perPx;
  return {
    ticks: ticksOf(chart.axis, camera.from, end, TICK_PX * camera.perPx).map(({ at, label }) => ({
      x: Math.round(xAt(at)),
      label,
    })),
    gaps: gapsBetween(chart.axis, camera.from, end).map(({ at, length, fromMs, toMs }) => ({
      x: xAt(at + length / 2),
      wide: length / camera.perPx,
      ms: toMs - fromMs,
    })),
  };
}

/** The lines of the axis behind the times, and now. */
export function drawGrid(scene: ChartScene, { ticks, gaps }: ShownAxis): void {
  const { ctx, store, colours, nowMs } = scene;
  const { head, height, names, width } = store.size;
  ctx.fillStyle = colours.line;
  for (const { x } of ticks) ctx.fillRect(x, head, 1, height - head);
  ctx.lineWidth = 1;
  const dashed = (colour: string, dash: number[], all: readonly number[]) => {
    ctx.strokeStyle = colour;
    ctx.setLineDash(dash);
    ctx.beginPath();
    for (const x of all) {
      ctx.moveTo(Math.round(x) + 0.5, head);
      ctx.lineTo(Math.round(x) + 0.5, height);
    }
    ctx.stroke();
    ctx.setLineDash([]);
  };
  let drawn = Number.NEGATIVE_INFINITY;
  const apart = gaps.flatMap(({ x }) => {
    if (x < names || x > width || x < drawn + GAP_STEP_PX) return [];
    drawn = x;
    return [x];
  });
  if (apart.length > 0) dashed(colours["line-3"], [4, 4], apart);
  const now = nowMs === null ? -1 : xOf(scene, nowMs);
  if (now >= names && now <= width) dashed(colours.run, [3, 2], [now]);
}

/** The axis's labels, on the ground of the head. */
export function drawHead({ ctx, store, colours }: ChartScene, { ticks, gaps }: ShownAxis): void {
  const { width, head, names } = store.size;
  const font = canvasFont(colours, 400, 11);
  const y = head / 2 + 0.5;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, width, head);
  ctx.fillStyle = colours["line-2"];
  ctx.fillRect(0, head - 1, width, 1);
  const columns = new TextBatch();
  columns.add(font, colours["fg-3"], "Step", 12, y);
  columns.add(font, colours["fg-3"], "Took", names - 12 - textPx(ctx, font, "Took"), y);
  columns.draw(ctx);
  ctx.save();
  ctx.beginPath();
  ctx.rect(names, 0, width - names, head);
  ctx.clip();
  const labels = new TextBatch();
  ctx.fillStyle = colours["line-2"];
  for (const { x, label } of ticks) {
    ctx.fillRect(x, head - 10, 1, 9);
    labels.add(font, colours["fg-3"], label, x + 5, y);
  }
  labels.draw(ctx);
  // Over the labels of the ticks.
  const lengths = new TextBatch();
  ctx.fillStyle = colours.panel;
  let taken = Number.NEGATIVE_INFINITY;
  for (const { x, wide, ms } of gaps) {
    // Labels of gaps close to each other would be one on the other: the dashes tell of them.
    if (x < names || x > width || wide < MIN_GAP_PX) continue;
    const label = `${formatDuration(ms)} left out`;
    const labelPx = textPx(ctx, font, label);
    if (x - labelPx / 2 - 4 < taken) continue;
    taken = x + labelPx / 2 + 4;
    ctx.fillRect(x - labelPx / 2 - 4, 1, labelPx + 8, head - 3);
    lengths.add(font, colours["fg-2"], label, x - labelPx / 2, y);
  }
  lengths.draw(ctx);
  ctx.restore();
}

/** The part of the time that is selected. */
export function drawRange(scene: ChartScene): void {
  const { ctx, store, colours } = scene;
  const { range, size } = store;
  if (!range) return;
  const left = Math.max(size.names - ASIDE_PX, xOf(scene, range.fromMs));
  const right = Math.min(size.width + ASIDE_PX, xOf(scene, range.toMs));
  ctx.fillStyle = colours.accent;
  ctx.globalAlpha = 0.1;
  ctx.fillRect(left, size.head, right - left, size.height);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, size.head, 1, size.height);
  ctx.fillRect(right - 1, size.head, 1, size.height);
}
