import type { GraphColours } from "@/components/graph/draw-scene";
import { LANE_PATHS, laneIndex } from "@/components/ui/marks";
import { formatDuration } from "@/lib/format/format";
import { shortToolName, toolNamed } from "@/lib/tools/tools";
import type { Span } from "@/lib/wire/spans";
import { ticksOf } from "./time-axis";
import { isPromptWait, spanTitle, turnTitle, type WaterfallRow } from "./waterfall-model";
import { timesPx, type WaterfallStore } from "./waterfall-store";

/** What is known of lines beside their spans. */
export type RowTexts = {
  subjects: ReadonlyMap<string, string>;
  prompts: ReadonlyMap<number, string>;
};

type Scene = {
  ctx: CanvasRenderingContext2D;
  store: WaterfallStore;
  colours: GraphColours;
  mono: string;
  texts: RowTexts;
  selected: number;
  focused: boolean;
  /** While the session is at work, now. */
  nowMs: number | null;
};

const BAR_PX = 10;
const MIN_BAR_PX = 2;
const INDENT_PX = 14;
const LEFT_PX = 44;

/** Draws what is in view. */
export function drawWaterfall(scene: Scene): void {
  const { ctx, store, colours } = scene;
  const { size, chart } = store;
  const { width, height, names, head, row: rowPx } = size;
  ctx.fillStyle = colours.bg;
  ctx.fillRect(0, 0, width, height);
  const { from, to } = store.inView();
  const topOf = (index: number) => head + index * rowPx - store.camera.top;
  for (let index = from; index < to; index++) drawGround(scene, index, topOf(index));
  ctx.save();
  ctx.beginPath();
  ctx.rect(names, 0, width - names, height);
  ctx.clip();
  drawGrid(scene);
  for (let index = from; index < to; index++) {
    const row = chart.rows[index];
    if (row) drawTimes(scene, row, topOf(index));
  }
  drawPath(scene, from, to, topOf);
  drawRange(scene);
  ctx.restore();
  for (let index = from; index < to; index++) {
    const row = chart.rows[index];
    if (row) drawName(scene, row, topOf(index));
  }
  drawHead(scene);
  ctx.fillStyle = colours["line-2"];
  ctx.fillRect(names - 1, 0, 1, height);
  if (scene.focused && scene.selected >= from && scene.selected < to) {
    ctx.strokeStyle = colours.accent;
    ctx.lineWidth = 2;
    ctx.strokeRect(1, topOf(scene.selected) + 1, width - 2, rowPx - 2);
  }
}

function drawGround({ ctx, store, colours, selected }: Scene, index: number, y: number): void {
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

const TICK_PX = 96;

function drawGrid({ ctx, store, colours, nowMs }: Scene): void {
  const { size, chart, camera } = store;
  const left = size.names;
  const times = timesPx(size);
  ctx.fillStyle = colours.line;
  const end = camera.from + (times + 16) * camera.perPx;
  for (const { at } of ticksOf(chart.axis, camera.from, end, TICK_PX * camera.perPx))
    ctx.fillRect(Math.round(left + (at - camera.from) / camera.perPx), size.head, 1, size.height);
  ctx.strokeStyle = colours["line-3"];
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 3]);
  for (const gap of chart.axis.gaps) {
    const x = left + (gap.at + gap.length / 2 - camera.from) / camera.perPx;
    if (x < left || x > size.width) continue;
    ctx.beginPath();
    ctx.moveTo(Math.round(x) + 0.5, size.head);
    ctx.lineTo(Math.round(x) + 0.5, size.height);
    ctx.stroke();
  }
  if (nowMs !== null) {
    const x = Math.round(left + store.pxOf(nowMs)) + 0.5;
    ctx.strokeStyle = colours.run;
    ctx.setLineDash([3, 2]);
    ctx.beginPath();
    ctx.moveTo(x, size.head);
    ctx.lineTo(x, size.height);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

/** The axis's labels, on the ground of the head. */
function drawHead({ ctx, store, colours }: Scene): void {
  const { size, chart, camera } = store;
  const { width, head, names } = size;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, width, head);
  ctx.fillStyle = colours["line-2"];
  ctx.fillRect(0, head - 1, width, 1);
  setFont(ctx, `400 11px ${colours.font}`);
  ctx.textBaseline = "middle";
  const y = head / 2 + 0.5;
  ctx.fillStyle = colours["fg-3"];
  ctx.textAlign = "left";
  ctx.fillText("Step", 12, y);
  ctx.textAlign = "right";
  ctx.fillText("Took", names - 12, y);
  ctx.save();
  ctx.beginPath();
  ctx.rect(names, 0, width - names, head);
  ctx.clip();
  ctx.textAlign = "left";
  const end = camera.from + (timesPx(size) + 16) * camera.perPx;
  for (const { at, label } of ticksOf(chart.axis, camera.from, end, TICK_PX * camera.perPx)) {
    const x = Math.round(names + (at - camera.from) / camera.perPx);
    ctx.fillStyle = colours["line-2"];
    ctx.fillRect(x, head - 10, 1, 9);
    ctx.fillStyle = colours["fg-3"];
    ctx.fillText(label, x + 5, y);
  }
  for (const gap of chart.axis.gaps) {
    const x = names + (gap.at + gap.length / 2 - camera.from) / camera.perPx;
    const label = `${formatDuration(gap.toMs - gap.fromMs)} left out`;
    const wide = ctx.measureText(label).width;
    // Labels of gaps close to each other would be one on the other: the dashes tell of them.
    if (x < names || x > width || gap.length / camera.perPx < 4) continue;
    ctx.fillStyle = colours.panel;
    ctx.fillRect(x - wide / 2 - 4, 1, wide + 8, head - 3);
    ctx.fillStyle = colours["fg-2"];
    ctx.fillText(label, x - wide / 2, y);
  }
  ctx.restore();
}

function drawTimes(scene: Scene, row: WaterfallRow, y: number): void {
  const { ctx, store, colours, nowMs } = scene;
  const { names, row: rowPx, width } = store.size;
  const middle = Math.round(y + rowPx / 2);
  const x = (ms: number) => names + store.pxOf(ms);
  if (row.kind === "turn") {
    if (!Number.isFinite(row.startMs)) return;
    bracket(ctx, x(row.startMs), Math.max(x(row.endMs), x(row.startMs) + 1), middle, colours["fg-2"]);
    return;
  }
  const { span, call, inside } = row;
  const isAside = x(span.startMs) > width || (x(span.endMs) < names && span.flaw !== "open");
  if (isAside && !call && inside.length === 0) return;
  if (call && !call.background) {
    ctx.strokeStyle = colours["line-3"];
    ctx.lineWidth = 1;
    const [from, to] = [x(call.startMs), x(call.endMs)];
    if (to - from > 3) ctx.strokeRect(Math.round(from) + 0.5, middle - 5.5, Math.round(to - from), 11);
  }
  for (const one of inside)
    if (one.background) bar(scene, one, x(one.startMs), x(one.endMs), middle, colours["fg-3"], "pale");
  const isRunning = span.flaw === "open" && nowMs !== null;
  const end = isRunning ? Math.max(span.endMs, nowMs) : span.endMs;
  drawBar(scene, span, x(span.startMs), x(end), middle, isRunning);
  for (const one of inside)
    if (one.kind === "permission") hatch(scene, x(one.startMs), x(one.endMs), middle, one.exact);
}

/** A span as its kind is drawn. */
function drawBar(
  scene: Scene,
  span: Span,
  from: number,
  to: number,
  middle: number,
  isRunning: boolean,
): void {
  const { ctx, colours } = scene;
  switch (span.kind) {
    case "idle":
      dotted(ctx, from, to, middle, colours["fg-3"]);
      return;
    case "human":
      if (span.name === "you")
        dotted(ctx, from, to, middle, isPromptWait(span) ? colours["fg-3"] : colours.warn);
      else bar(scene, span, from, to, middle, colours.warn, "hollow");
      return;
    case "model":
      if (span.name === "compaction") {
        bracket(ctx, from, Math.max(to, from + 2), middle, colours.fg);
        return;
      }
      bar(scene, span, from, to, middle, colours["line-3"], span.exact ? "thin" : "thin bound");
      return;
    case "agent":
      bar(
        scene,
        span,
        from,
        to,
        middle,
        colours.lanes[laneIndex(span.lane ?? 1)] ?? colours.fg,
        span.exact ? "full" : "bound",
      );
      return;
    default: {
      const colour = isRunning ? colours.run : barColour(span, colours);
      const look = span.state === "interrupted" ? "cut" : span.exact || isRunning ? "full" : "bound";
      bar(scene, span, from, to, middle, colour, look);
    }
  }
}

function barColour({ state, name }: Span, colours: GraphColours): string {
  if (state === "denied") return colours.warn;
  if (state && state !== "interrupted") return colours.err;
  return toolNamed(name)?.files === "changes" ? colours.edit : colours["fg-2"];
}

type Look = "full" | "thin" | "thin bound" | "bound" | "hollow" | "cut" | "pale";

/** A bar. A bound is a frame with a faint ground: it ends there at the latest. */
function bar(
  { ctx, store }: Scene,
  { flaw }: Span,
  from: number,
  to: number,
  middle: number,
  colour: string,
  look: Look,
): void {
  const { names, width } = store.size;
  // Far off the canvas the browser would lay out what nobody sees.
  const left = Math.max(names - 20, from);
  const right = Math.min(width + 20, Math.max(to, from + MIN_BAR_PX));
  const wide = right - left;
  if (wide <= 0) return;
  const tall = look.startsWith("thin") ? 4 : BAR_PX;
  const top = middle - tall / 2;
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  const framed = wide > 4;
  if (look === "full" || look === "thin" || !framed) {
    ctx.fillRect(left, top, wide, tall);
  } else if (look === "hollow" || look === "cut") {
    ctx.strokeRect(Math.round(left) + 0.5, top + 0.5, Math.round(wide) - 1, tall - 1);
    if (look === "cut") ctx.fillRect(right - 2, top, 2, tall);
  } else {
    ctx.globalAlpha = look === "pale" ? 0.3 : 0.28;
    ctx.fillRect(left, top, wide, tall);
    ctx.globalAlpha = 1;
    if (look !== "pale") ctx.strokeRect(Math.round(left) + 0.5, top + 0.5, Math.round(wide) - 1, tall - 1);
  }
  if (flaw && flaw !== "equal" && flaw !== "open") {
    // Its times are not to be trusted.
    ctx.setLineDash([2, 2]);
    ctx.strokeRect(Math.round(left) - 2.5, middle - 7.5, Math.round(wide) + 5, 15);
    ctx.setLineDash([]);
  }
}

function hatch(
  { ctx, store, colours }: Scene,
  from: number,
  to: number,
  middle: number,
  exact: boolean,
): void {
  const { names, width } = store.size;
  const left = Math.max(names - 20, from);
  const wide = Math.min(width + 20, Math.max(to, from + 3)) - left;
  if (wide <= 0) return;
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

function bracket(
  ctx: CanvasRenderingContext2D,
  from: number,
  to: number,
  middle: number,
  colour: string,
): void {
  ctx.fillStyle = colour;
  ctx.fillRect(from, middle - 0.5, to - from, 1);
  ctx.fillRect(from, middle - 4, 1, 8);
  ctx.fillRect(to - 1, middle - 4, 1, 8);
}

function dotted(
  ctx: CanvasRenderingContext2D,
  from: number,
  to: number,
  middle: number,
  colour: string,
): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash([1, 3]);
  ctx.beginPath();
  ctx.moveTo(from, middle + 0.5);
  ctx.lineTo(Math.max(to, from + 2), middle + 0.5);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The critical path through the lines in view: below each bar, and down to where it goes on. */
function drawPath(
  { ctx, store, colours }: Scene,
  from: number,
  to: number,
  topOf: (row: number) => number,
): void {
  const { chart, size } = store;
  const below = (row: number) => topOf(row) + size.row / 2 + BAR_PX / 2 + 2;
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  const { path } = chart;
  for (let row = from; row < to; row++) {
    for (const index of chart.pathOf.get(row) ?? []) {
      const piece = path[index];
      if (!piece) continue;
      const [left, right] = [size.names + store.pxOf(piece.fromMs), size.names + store.pxOf(piece.toMs)];
      ctx.moveTo(left, below(row));
      ctx.lineTo(Math.max(right, left + 1), below(row));
      const next = path[index + 1];
      if (next && next.row !== row && next.fromMs === piece.toMs) {
        ctx.moveTo(right, below(row));
        ctx.lineTo(right, below(next.row));
      }
      const before = path[index - 1];
      if (before && (before.row < from || before.row >= to) && before.toMs === piece.fromMs) {
        ctx.moveTo(left, below(before.row));
        ctx.lineTo(left, below(row));
      }
    }
  }
  ctx.stroke();
}

function drawRange({ ctx, store, colours }: Scene): void {
  const { range, size } = store;
  if (!range) return;
  const left = size.names + store.pxOf(range.fromMs);
  const right = size.names + store.pxOf(range.toMs);
  ctx.fillStyle = colours.accent;
  ctx.globalAlpha = 0.1;
  ctx.fillRect(left, size.head, right - left, size.height);
  ctx.globalAlpha = 1;
  ctx.fillRect(left, size.head, 1, size.height);
  ctx.fillRect(right - 1, size.head, 1, size.height);
}

function drawName(scene: Scene, row: WaterfallRow, y: number): void {
  const { ctx, store, colours, texts, mono } = scene;
  const { names, row: rowPx } = store.size;
  const middle = y + rowPx / 2 + 0.5;
  ctx.textBaseline = "middle";
  const took = tookOf(row, scene.nowMs);
  setFont(ctx, `400 12px ${colours.font}`);
  const tookPx = ctx.measureText(took).width;
  ctx.textAlign = "right";
  ctx.fillStyle = row.kind === "span" && isBad(row.span) ? colours.err : colours["fg-2"];
  ctx.fillText(took, names - 12, middle);
  ctx.textAlign = "left";
  const right = names - 12 - tookPx - 10;
  if (row.kind === "turn") {
    ctx.fillStyle = colours.fg;
    ctx.fillRect(12, Math.round(y + rowPx / 2 - 8), 24, 17);
    setFont(ctx, `600 11px ${colours.font}`);
    ctx.textAlign = "center";
    ctx.fillStyle = colours.bg;
    ctx.fillText(String(row.turn), 24, middle);
    ctx.textAlign = "left";
    ctx.fillStyle = colours.fg;
    setFont(ctx, `600 12px ${colours.font}`);
    ctx.fillText(
      cut(ctx, texts.prompts.get(row.turn) ?? turnTitle(row.turn), right - LEFT_PX),
      LEFT_PX,
      middle,
    );
    return;
  }
  const { span, depth } = row;
  const x = leftOf(depth, names);
  drawMark(scene, row, x - 12, Math.round(y + rowPx / 2));
  const { title, subject, isCode } = wordsOf(row, texts);
  const isStep =
    span.kind === "tool" || span.kind === "agent" || (span.kind === "human" && span.name !== "you");
  setFont(ctx, `${isStep && span.kind !== "agent" ? 600 : 400} 12px ${colours.font}`);
  ctx.fillStyle = isStep ? colours.fg : colours["fg-3"];
  const shown = cut(ctx, title, right - x);
  ctx.fillText(shown, x, middle);
  const after = x + ctx.measureText(shown).width + 7;
  if (subject === "" || after > right - 20) return;
  setFont(ctx, `400 12px ${isCode ? mono : colours.font}`);
  ctx.fillStyle = span.kind === "tool" ? colours.fg : colours["fg-3"];
  ctx.fillText(cut(ctx, subject, right - after), after, middle);
}

/** Where a name begins. Narrow columns have no room for deep indents. */
function leftOf(depth: number, names: number): number {
  const step = names < 200 ? 6 : INDENT_PX;
  return (names < 200 ? 26 : LEFT_PX) + Math.min(depth, names < 200 ? 3 : 8) * step;
}

/** A line in words: what it is, and what it is about. */
export function wordsOf(
  row: Extract<WaterfallRow, { kind: "span" }>,
  { subjects }: RowTexts,
): { title: string; subject: string; isCode: boolean } {
  const { span, call } = row;
  const isTool = span.kind === "tool" || (span.kind === "human" && span.name !== "you");
  const subject = subjects.get(span.id) ?? subjects.get(call?.id ?? "") ?? "";
  const title = isTool ? shortToolName(span.name) : spanTitle(span);
  return {
    title,
    subject: subject === title ? "" : subject,
    isCode: isTool && toolNamed(span.name)?.prose !== true,
  };
}

/** How long a line took, as its column says it. */
export function tookOf(row: WaterfallRow, nowMs: number | null): string {
  if (row.kind === "turn") return formatDuration(row.workedMs);
  const { startMs, endMs, exact, flaw } = row.span;
  if (flaw === "missing") return "no time";
  if (flaw === "open") return nowMs === null ? "no end" : formatDuration(Math.max(0, nowMs - startMs));
  return `${exact || flaw === "equal" ? "" : "≤ "}${formatDuration(endMs - startMs)}`;
}

function isBad({ state }: Span): boolean {
  return state === "error" || state === "timed-out";
}

const LANES = LANE_PATHS.map((path) => (typeof Path2D === "undefined" ? null : new Path2D(path)));
const MARKS = {
  error: "M-3.5-3.5l7 7M3.5-3.5l-7 7",
  lock: "M-4-.5h8v5h-8zM-2.3-.5v-1.7a2.3 2.3 0 0 1 4.6 0v1.7",
};

const DIAMOND = [
  [0, -4.5],
  [4.5, 0],
  [0, 4.5],
  [-4.5, 0],
] as const;

function drawMark(
  { ctx, colours }: Scene,
  { span, inside }: Extract<WaterfallRow, { kind: "span" }>,
  x: number,
  y: number,
): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.lineWidth = 1.5;
  if (span.kind === "agent") {
    const lane = laneIndex(span.lane ?? 1);
    ctx.translate(-5, -5);
    ctx.fillStyle = colours.lanes[lane] ?? colours.fg;
    const shape = LANES[lane];
    if (shape) ctx.fill(shape);
  } else if (inside.some(({ kind }) => kind === "permission") || span.state === "denied") {
    ctx.strokeStyle = colours.warn;
    ctx.stroke(new Path2D(MARKS.lock));
  } else if (isBad(span)) {
    ctx.strokeStyle = colours.err;
    ctx.stroke(new Path2D(MARKS.error));
  } else if (span.kind === "tool" && toolNamed(span.name)?.files === "changes") {
    ctx.fillStyle = colours.edit;
    ctx.beginPath();
    for (const [dx, dy] of DIAMOND) ctx.lineTo(dx, dy);
    ctx.fill();
  }
  ctx.restore();
}

function setFont(ctx: CanvasRenderingContext2D, font: string): void {
  // Setting a font costs as much as drawing with it.
  if (ctx.font !== font) ctx.font = font;
}

/** A text that fits, with `…` where it was cut; of very little room nothing. */
function cut(ctx: CanvasRenderingContext2D, text: string, px: number): string {
  if (px < 12) return "";
  const wide = ctx.measureText(text).width;
  if (wide <= px) return text;
  let kept = Math.max(0, Math.floor((text.length * px) / wide));
  while (kept > 0 && ctx.measureText(`${text.slice(0, kept)}…`).width > px) kept -= 1;
  return kept < 2 ? "" : `${text.slice(0, kept).trimEnd()}…`;
}
