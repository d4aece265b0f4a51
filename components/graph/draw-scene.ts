import { type CanvasColours, canvasFont } from "@/components/canvas/canvas-colours";
import { fitText, textPx } from "@/components/canvas/canvas-text";
import { type Camera, rowScale, type Size } from "./camera";
import { type GraphLayout, ROW_PX } from "./graph-layout";

/** Everything the graph is drawn from. `screenX` and `lineY` convert graph coordinates to screen coordinates. */
export type GraphScene = {
  ctx: CanvasRenderingContext2D;
  layout: GraphLayout;
  /** For each item, the colour of the line at and after it. */
  behind: Uint8Array;
  camera: Camera;
  size: Size;
  colours: CanvasColours;
  selected: number | null;
  hovered: number | null;
};

/** From this scale on items have labels. */
export const LABELS_SCALE = 0.6;
/** Below this scale items are bars. */
export const BARS_SCALE = 0.35;
/** From this scale on a run shows its rows. */
export const TICKS_SCALE = 0.5;

/** The screen x of an x in the graph, in pixels from the canvas's left edge. */
export function screenX({ camera }: GraphScene, x: number): number {
  return (x - camera.x) * camera.scale;
}

/** The screen y of a line. */
export function lineY({ camera, layout }: GraphScene, line: number): number {
  return ((layout.row[line] ?? 0) * ROW_PX - camera.y) * rowScale(camera.scale);
}

/** The height of a label's letters with their tails, at the usual size of text. */
export const LABEL_PX = 13;
const HALO_PX = 2;

type LabelStyle = {
  colour?: string;
  bold?: boolean;
  halo?: boolean;
  align?: CanvasTextAlign;
  maxPx?: number;
};

/** Draws a label. `halo` clears the ground below it, where lines may cross; `maxPx` truncates it. */
export function drawText(
  { ctx, colours }: GraphScene,
  text: string,
  x: number,
  y: number,
  { colour = colours["fg-3"], bold = false, halo = false, align = "left", maxPx = 0 }: LabelStyle = {},
): void {
  const font = fontOf(colours, bold);
  const shown = maxPx > 0 ? fitText(ctx, font, text, maxPx) : text;
  if (halo && shown !== "") {
    // Between the letters of an outlined text, lines would still be visible.
    const wide = textPx(ctx, font, shown);
    ctx.fillStyle = colours.bg;
    const tall = LABEL_PX * colours.unit;
    ctx.fillRect(x - HALO_PX, y - tall / 2, wide + 2 * HALO_PX, tall);
  }
  // Setting a font costs as much as drawing with it.
  if (ctx.font !== font) ctx.font = font;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour;
  ctx.fillText(shown, x, y);
}

/**
 * A name with what follows it, if that is not ""; if both together are too wide, the name is cut and the rest stays.
 */
export function fitLabel(scene: GraphScene, name: string, after: string, maxPx: number): string {
  const rest = after === "" ? "" : ` · ${after}`;
  const whole = name + rest;
  if (rest === "" || textWidth(scene, whole) <= maxPx) return whole;
  const font = fontOf(scene.colours);
  const cut = fitText(scene.ctx, font, name, maxPx - textWidth(scene, rest));
  return cut === "" ? fitText(scene.ctx, font, name, maxPx) : cut + rest;
}

/** The width of a label. */
export function textWidth({ ctx, colours }: GraphScene, text: string): number {
  return textPx(ctx, fontOf(colours), text);
}

function fontOf(colours: CanvasColours, bold = false): string {
  return canvasFont(colours, bold ? 600 : 400, 11);
}
