import { addTo } from "@/lib/format/lists";
import { textStart } from "@/lib/format/text";

type Measured = {
  wide: number;
  /** The room that it was last fitted into, and what of it is shown there. */
  px: number;
  fitted: string;
};

/** A picture has some hundred texts; what is more belongs to pictures that are gone. */
const MAX_TEXTS = 4_000;

/** Font → text. Measuring a text costs more than drawing it, and a chart draws the same ones in every frame. */
const measured = new Map<string, Map<string, Measured>>();

function measure(ctx: CanvasRenderingContext2D, font: string, text: string): Measured {
  let known = measured.get(font);
  if (!known || known.size > MAX_TEXTS) {
    known = new Map();
    measured.set(font, known);
  }
  let one = known.get(text);
  if (!one) {
    ctx.font = font;
    one = { wide: ctx.measureText(text).width, px: -1, fitted: "" };
    known.set(text, one);
  }
  return one;
}

/** How wide a text would be, in pixels. It may leave another font set. */
export function textPx(ctx: CanvasRenderingContext2D, font: string, text: string): number {
  return measure(ctx, font, text).wide;
}

/** As much of a text as fits, with `…` where it was cut; of very little room nothing. It may leave another font set. */
export function fitText(ctx: CanvasRenderingContext2D, font: string, text: string, px: number): string {
  if (px < 12) return "";
  const one = measure(ctx, font, text);
  if (one.wide <= px) return text;
  if (one.px === px) return one.fitted;
  ctx.font = font;
  let kept = Math.floor((text.length * px) / one.wide);
  while (kept > 0 && ctx.measureText(`${text.slice(0, kept)}…`).width > px) kept -= 1;
  one.px = px;
  one.fitted = kept < 2 ? "" : `${textStart(text, kept).trimEnd()}…`;
  return one.fitted;
}

/** Texts of a picture, drawn font by font: setting a font costs as much as drawing with it. */
export class TextBatch {
  readonly #byFont = new Map<string, { text: string; colour: string; x: number; y: number }[]>();

  /** @param x of its left edge @param y of its middle */
  add(font: string, colour: string, text: string, x: number, y: number): void {
    addTo(this.#byFont, font, { text, colour, x, y });
  }

  draw(ctx: CanvasRenderingContext2D): void {
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    for (const [font, texts] of this.#byFont) {
      ctx.font = font;
      for (const { text, colour, x, y } of texts) {
        ctx.fillStyle = colour;
        ctx.fillText(text, x, y);
      }
    }
  }
}
