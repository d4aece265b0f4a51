import type { CanvasColours } from "@/components/canvas/canvas-colours";
import { laneIndex } from "@/components/ui/marks";
import { toolNamed } from "@/lib/tools/tools";
import type { Span } from "@/lib/wire/spans";
import { ASIDE_PX, BAR_PX, type ChartScene, inView, xOf } from "./chart-scene";
import { isPromptWait, type WaterfallRow } from "./waterfall-model";

/** Draws the times of a line, `y` its upper edge. */
export function drawTimes(scene: ChartScene, row: WaterfallRow, y: number): void {
  const { ctx, store, colours, nowMs } = scene;
  const middle = Math.round(y + store.size.row / 2);
  const x = (ms: number) => xOf(scene, ms);
  if (row.kind === "turn") {
    if (Number.isFinite(row.startMs))
      bracket(scene, { from: x(row.startMs), to: x(row.endMs), least: 1 }, middle, colours["fg-2"]);
    return;
  }
  const { span, call, inside } = row;
  if (call && !call.background) {
    const frame = inView(store.size, x(call.startMs), x(call.endMs), 0);
    ctx.strokeStyle = colours["line-3"];
    ctx.lineWidth = 1;
    if (frame && frame.wide > 3)
      ctx.strokeRect(Math.round(frame.left) + 0.5, middle - 5.5, Math.round(frame.wide), 11);
  }
  for (const one of inside)
    if (one.background)
      bar(scene, one, { to: x(one.endMs), middle }, { colour: colours["fg-3"], look: "pale" });
  const isRunning = span.flaw === "open" && nowMs !== null;
  drawSpan(scene, span, x(isRunning ? Math.max(span.endMs, nowMs) : span.endMs), middle, isRunning);
  for (const one of inside)
    if (one.kind === "permission") hatch(scene, x(one.startMs), x(one.endMs), middle, one.exact);
}

/** A span as its kind is drawn. */
function drawSpan(scene: ChartScene, span: Span, to: number, middle: number, isRunning: boolean): void {
  const { colours } = scene;
  const from = xOf(scene, span.startMs);
  switch (span.kind) {
    case "idle":
      return dotted(scene, from, to, middle, colours["fg-3"]);
    case "human":
      if (span.name !== "you")
        return bar(scene, span, { to, middle }, { colour: colours.warn, look: "hollow" });
      return dotted(scene, from, to, middle, isPromptWait(span) ? colours["fg-3"] : colours.warn);
    case "model":
      if (span.name === "compaction") return bracket(scene, { from, to, least: 2 }, middle, colours.fg);
      return bar(
        scene,
        span,
        { to, middle },
        { colour: colours["line-3"], look: span.exact ? "thin" : "thin bound" },
      );
    case "agent": {
      const colour = colours.lanes[laneIndex(span.lane ?? 1)] ?? colours.fg;
      return bar(scene, span, { to, middle }, { colour, look: span.exact ? "full" : "bound" });
    }
    default: {
      const colour = isRunning ? colours.run : barColour(span, colours);
      const look = span.state === "interrupted" ? "cut" : span.exact || isRunning ? "full" : "bound";
      bar(scene, span, { to, middle }, { colour, look });
    }
  }
}

function barColour({ state, name }: Span, colours: CanvasColours): string {
  if (state === "denied") return colours.warn;
  if (state && state !== "interrupted") return colours.err;
  return toolNamed(name)?.files === "changes" ? colours.edit : colours["fg-2"];
}

type Look = "full" | "thin" | "thin bound" | "bound" | "hollow" | "cut" | "pale";

/** A bar. A bound is a frame with a faint ground: it ends there at the latest. */
function bar(
  scene: ChartScene,
  span: Span,
  { to, middle }: { to: number; middle: number },
  { colour, look }: { colour: string; look: Look },
): void {
  const { ctx, store } = scene;
  const seen = inView(store.size, xOf(scene, span.startMs), to);
  if (!seen) return;
  const { left, wide } = seen;
  const tall = look.startsWith("thin") ? 4 : BAR_PX;
  const top = middle - tall / 2;
  const frame = () => ctx.strokeRect(Math.round(left) + 0.5, top + 0.5, Math.round(wide) - 1, tall - 1);
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  if (look === "full" || look === "thin" || wide <= 4) {
    ctx.fillRect(left, top, wide, tall);
  } else if (look === "hollow" || look === "cut") {
    frame();
    if (look === "cut") ctx.fillRect(left + wide - 2, top, 2, tall);
  } else {
    ctx.globalAlpha = look === "pale" ? 0.3 : 0.28;
    ctx.fillRect(left, top, wide, tall);
    ctx.globalAlpha = 1;
    if (look !== "pale") frame();
  }
  const { flaw } = span;
  if (flaw && flaw !== "equal" && flaw !== "open") {
    // Its times are not to be trusted.
    ctx.setLineDash([2, 2]);
    ctx.strokeRect(Math.round(left) - 2.5, middle - 7.5, Math.round(wide) + 5, 15);
    ctx.setLineDash([]);
  }
}

function hatch(
  { ctx, store, colours }: ChartScene,
  from: number,
  to: number,
  middle: number,
  exact: boolean,
): void {
  const seen = inView(store.size, from, to, 3);
  if (!seen) return;
  const { left, wide } = seen;
  const top = middle - BAR_PX / 2;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, wide, BAR_PX);
  ctx.clip();
  if (exact) {
    ctx.fillStyle = colours.bg;
    ctx.fillRect(left, top, wide, BAR_PX);
  }
  ctx.strokeStyle = colours.warn;
  ctx.lineWidth = 1.25;
  ctx.beginPath();
  for (let x = left - BAR_PX; x < left + wide; x += 5) {
    ctx.moveTo(x, top + BAR_PX);
    ctx.lineTo(x + BAR_PX, top);
  }
  ctx.stroke();
  ctx.restore();
  ctx.strokeStyle = colours.warn;
  ctx.lineWidth = 1;
  if (!exact) ctx.setLineDash([3, 2]);
  ctx.strokeRect(Math.round(left) + 0.5, top + 0.5, Math.max(2, Math.round(wide) - 1), BAR_PX - 1);
  ctx.setLineDash([]);
}

/** Two ends with a line between them, in pixels; at least so wide. */
type Bracket = { from: number; to: number; least: number };

function bracket(
  { ctx, store }: ChartScene,
  { from, to, least }: Bracket,
  middle: number,
  colour: string,
): void {
  const seen = inView(store.size, from, to, least);
  if (!seen) return;
  const { left, wide } = seen;
  ctx.fillStyle = colour;
  ctx.fillRect(left, middle - 0.5, wide, 1);
  ctx.fillRect(left, middle - 4, 1, 8);
  ctx.fillRect(left + wide - 1, middle - 4, 1, 8);
}

const DOT_PX = 1;
const DOTS_PX = 4;

function dotted({ ctx, store }: ChartScene, from: number, to: number, middle: number, colour: string): void {
  const seen = inView(store.size, from, to);
  if (!seen) return;
  // Dots stand still with what begins beside the view, so they are counted from its beginning.
  const left = seen.left - ((seen.left - from) % DOTS_PX);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash([DOT_PX, DOTS_PX - DOT_PX]);
  ctx.beginPath();
  ctx.moveTo(left, middle + 0.5);
  ctx.lineTo(seen.left + seen.wide, middle + 0.5);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The critical path through the lines in view: below each bar, and down to where it goes on. */
export function drawPath(scene: ChartScene, from: number, to: number, topOf: (row: number) => number): void {
  const { ctx, store, colours } = scene;
  const { chart, size } = store;
  const below = (row: number) => {
    const y = topOf(row) + size.row / 2 + BAR_PX / 2 + 2;
    return Math.min(Math.max(y, -ASIDE_PX), size.height + ASIDE_PX);
  };
  const isSeen = (x: number) => x > size.names - ASIDE_PX && x < size.width + ASIDE_PX;
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  const { path } = chart;
  for (let row = from; row < to; row++) {
    const y = below(row);
    let drawn = Number.NEGATIVE_INFINITY;
    for (const index of chart.pathOf.get(row) ?? []) {
      const piece = path[index];
      if (!piece) continue;
      const [left, right] = [xOf(scene, piece.fromMs), xOf(scene, piece.toMs)];
      const seen = inView(size, left, right, 1);
      // Of pieces that share a pixel one is drawn.
      if (seen && seen.left + seen.wide > drawn + 0.5) {
        ctx.moveTo(seen.left, y);
        drawn = seen.left + seen.wide;
        ctx.lineTo(drawn, y);
      }
      const next = path[index + 1];
      if (next && next.row !== row && next.fromMs === piece.toMs && isSeen(right)) {
        ctx.moveTo(right, y);
        ctx.lineTo(right, below(next.row));
      }
      const before = path[index - 1];
      const comesIn = before && (before.row < from || before.row >= to) && before.toMs === piece.fromMs;
      if (comesIn && isSeen(left)) {
        ctx.moveTo(left, below(before.row));
        ctx.lineTo(left, y);
      }
    }
  }
  ctx.stroke();
}
