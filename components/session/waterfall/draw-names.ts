import { canvasFont } from "@/components/canvas/canvas-colours";
import { fitText, TextBatch, textPx } from "@/components/canvas/canvas-text";
import { LANE_PATHS, laneIndex } from "@/components/ui/marks";
import { toolNamed } from "@/lib/tools/tools";
import type { Span } from "@/lib/wire/spans";
import type { ChartScene } from "./chart-scene";
import { tookOf, turnTitle, wordsOf } from "./row-words";
import type { WaterfallRow } from "./waterfall-model";

type SpanRow = Extract<WaterfallRow, { kind: "span" }>;

const INDENT_PX = 14;
const LEFT_PX = 44;
const EDGE_PX = 12;
/** A turn's number: the least width of its box, what it has beside its digits there, and beside the prompt. */
const MIN_NUMBER_PX = 24;
const NUMBER_PAD_PX = 4;
const NUMBER_GAP_PX = 8;

/** Draws the column on the left for the lines from `from` to `to`: what each is, what it is about, how long it took. */
export function drawNames(scene: ChartScene, from: number, to: number, topOf: (row: number) => number): void {
  const { ctx, store, colours, mono, texts } = scene;
  const { names, row: rowPx } = store.size;
  const batch = new TextBatch();
  const plain = canvasFont(colours, 400, 12);
  const bold = canvasFont(colours, 600, 12);
  for (let index = from; index < to; index++) {
    const row = store.chart.rows[index];
    if (!row) continue;
    const y = topOf(index) + rowPx / 2;
    const middle = y + 0.5;
    const took = tookOf(row, scene.nowMs);
    const tookPx = textPx(ctx, plain, took);
    const isBadRow = row.kind === "span" && isBad(row.span);
    batch.add(plain, isBadRow ? colours.err : colours["fg-2"], took, names - EDGE_PX - tookPx, middle);
    const right = names - EDGE_PX - tookPx - 10;
    if (row.kind === "turn") {
      const number = canvasFont(colours, 600, 11);
      const text = String(row.turn);
      const digits = textPx(ctx, number, text);
      const box = Math.max(MIN_NUMBER_PX, Math.ceil(digits) + 2 * NUMBER_PAD_PX);
      ctx.fillStyle = colours.fg;
      ctx.fillRect(EDGE_PX, Math.round(y - 8), box, 17);
      batch.add(number, colours.bg, text, EDGE_PX + (box - digits) / 2, middle);
      const prompt = texts.prompts.get(row.turn) ?? turnTitle(row.turn);
      const x = EDGE_PX + box + NUMBER_GAP_PX;
      batch.add(bold, colours.fg, fitText(ctx, bold, prompt, right - x), x, middle);
      continue;
    }
    const { span, depth } = row;
    const x = leftOf(depth, names);
    drawMark(scene, row, x - 12, Math.round(y));
    const { title, subject, isCode } = wordsOf(row, texts);
    const isCall = span.kind === "tool" || (span.kind === "human" && span.name !== "you");
    const font = isCall ? bold : plain;
    const shown = fitText(ctx, font, title, right - x);
    batch.add(font, isCall || span.kind === "agent" ? colours.fg : colours["fg-3"], shown, x, middle);
    const after = x + textPx(ctx, font, shown) + 7;
    if (subject === "" || after > right - 20) continue;
    const code = isCode ? canvasFont(colours, 400, 12, mono) : plain;
    const colour = span.kind === "tool" ? colours.fg : colours["fg-3"];
    batch.add(code, colour, fitText(ctx, code, subject, right - after), after, middle);
  }
  batch.draw(ctx);
}

/** Where a name begins. Narrow columns have no room for deep indents. */
function leftOf(depth: number, names: number): number {
  const step = names < 200 ? 6 : INDENT_PX;
  return (names < 200 ? 26 : LEFT_PX) + Math.min(depth, names < 200 ? 3 : 8) * step;
}

function isBad({ state }: Span): boolean {
  return state === "error" || state === "timed-out";
}

/** The marks of lines, made when the first is drawn: there is no canvas where tests and the server load this. */
let shapes: { lanes: Path2D[]; error: Path2D; lock: Path2D; edit: Path2D } | null = null;

function markShapes(): NonNullable<typeof shapes> {
  shapes ??= {
    lanes: LANE_PATHS.map((path) => new Path2D(path)),
    error: new Path2D("M-3.5-3.5l7 7M3.5-3.5l-7 7"),
    lock: new Path2D("M-4-.5h8v5h-8zM-2.3-.5v-1.7a2.3 2.3 0 0 1 4.6 0v1.7"),
    edit: new Path2D("M0-4.5L4.5 0 0 4.5-4.5 0z"),
  };
  return shapes;
}

function drawMark({ ctx, colours }: ChartScene, { span, inside }: SpanRow, x: number, y: number): void {
  const isAsked = inside.some(({ kind }) => kind === "permission") || span.state === "denied";
  const isEdit = span.kind === "tool" && toolNamed(span.name)?.files === "changes";
  if (span.kind !== "agent" && !isAsked && !isBad(span) && !isEdit) return;
  const { lanes, lock, error, edit } = markShapes();
  ctx.save();
  ctx.translate(x, y);
  ctx.lineWidth = 1.5;
  if (span.kind === "agent") {
    const lane = laneIndex(span.lane ?? 1);
    ctx.translate(-5, -5);
    ctx.fillStyle = colours.lanes[lane] ?? colours.fg;
    const shape = lanes[lane];
    if (shape) ctx.fill(shape);
  } else if (isAsked) {
    ctx.strokeStyle = colours.warn;
    ctx.stroke(lock);
  } else if (isBad(span)) {
    ctx.strokeStyle = colours.err;
    ctx.stroke(error);
  } else {
    ctx.fillStyle = colours.edit;
    ctx.fill(edit);
  }
  ctx.restore();
}
