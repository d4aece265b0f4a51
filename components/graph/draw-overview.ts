import { cross } from "./draw-marks";
import type { Size } from "./graph-camera";
import type { GraphColours } from "./graph-colours";
import type { OpenGraph } from "./use-graph";

const BAR_PX = 4;
const BASE_PX = 34;
/** Marks closer than this would be a fence. */
const ERROR_STEP_PX = 14;
const COMPACTION_STEP_PX = 28;

/** Density over the main line, agents above in their colours, branches below, errors and compactions. */
export function drawOverview(
  ctx: CanvasRenderingContext2D,
  { layout, model }: OpenGraph,
  colours: GraphColours,
  size: Size,
): void {
  const { items, lines } = model;
  const scale = size.width / Math.max(1, layout.widthPx);
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, size.width, size.height);
  const bars = new Float64Array(Math.ceil(size.width / BAR_PX) + 1);
  const { from = 0, to = 0 } = lines[0] ?? {};
  let errorPx = -10;
  let compactedPx = -10;
  for (let item = from; item < to; item++) {
    const one = items[item];
    const x = (layout.x[item] ?? 0) * scale;
    const w = Math.max(1, (layout.width[item] ?? 0) * scale);
    const last = Math.min(bars.length - 1, Math.floor((x + w) / BAR_PX));
    for (let bar = Math.floor(x / BAR_PX); bar <= last; bar++)
      bars[bar] = (bars[bar] ?? 0) + (one?.rows ?? 0) / (w / BAR_PX + 1);
    if (one?.kind === "compaction" && x - compactedPx > COMPACTION_STEP_PX) {
      compactedPx = x;
      ctx.fillStyle = colours["fg-3"];
      ctx.fillRect(x, 16, 1, size.height - 20);
      ctx.fillRect(x + 3, 16, 1, size.height - 20);
    }
    if ((one?.errors ?? 0) > 0 && x - errorPx > ERROR_STEP_PX) {
      errorPx = x;
      cross(ctx, colours.err, colours.panel, x + w / 2, 8, 2.5);
    }
  }
  const most = Math.max(1, ...bars);
  ctx.fillStyle = colours["line-3"];
  for (const [bar, rows] of bars.entries()) {
    if (rows > 0)
      ctx.fillRect(bar * BAR_PX, BASE_PX - 3 - 9 * Math.sqrt(rows / most), 2, 3 + 9 * Math.sqrt(rows / most));
  }
  ctx.fillStyle = colours.lanes[0] ?? colours.fg;
  ctx.fillRect(0, BASE_PX + 2, size.width, 1);
  for (const [line, { lane }] of lines.entries()) {
    if (line === 0) continue;
    const row = layout.row[line] ?? 0;
    const y =
      row < 0
        ? Math.max(13, 24 - Math.min(3, -row) * 4)
        : Math.min(size.height - 4, BASE_PX + 4 + Math.min(3, row) * 4);
    ctx.fillStyle = colours.lanes[((lane - 1) % 8) + 1] ?? colours.fg;
    const x = (layout.lineX0[line] ?? 0) * scale;
    ctx.fillRect(x, y, Math.max(2, ((layout.lineX1[line] ?? 0) - (layout.lineX0[line] ?? 0)) * scale), 2);
  }
}
