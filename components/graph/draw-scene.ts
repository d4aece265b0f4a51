import { type Camera, rowScale, type Size } from "./graph-camera";
import type { GraphColours } from "./graph-colours";
import { type GraphLayout, ROW_PX } from "./graph-layout";

/** Everything that a picture of the graph is drawn from. Places are turned to the screen's by `screenX` and `lineY`. */
export type Scene = {
  ctx: CanvasRenderingContext2D;
  layout: GraphLayout;
  /** Item → colour of its line behind it. */
  behind: Uint8Array;
  camera: Camera;
  size: Size;
  colours: GraphColours;
  selected: number | null;
  hovered: number | null;
};

/** From this scale on items have their words. */
export const WORDS_SCALE = 0.6;
/** Below this one items are bars. */
export const BARS_SCALE = 0.35;
/** From this scale on a run shows its rows. */
export const TICKS_SCALE = 0.5;

/** A place along the lines as one on the screen, in pixels from its left edge. */
export function screenX({ camera }: Scene, x: number): number {
  return (x - camera.x) * camera.scale;
}

/** The height of a line on the screen. */
export function lineY({ camera, layout }: Scene, line: number): number {
  return ((layout.row[line] ?? 0) * ROW_PX - camera.y) * rowScale(camera.scale);
}

type WordStyle = {
  colour?: string;
  bold?: boolean;
  halo?: boolean;
  align?: CanvasTextAlign;
  mostPx?: number;
};

/** Words; `halo`: with the ground's colour around them, where lines may pass; cut where `mostPx` is given. */
export function drawWords(
  { ctx, colours }: Scene,
  words: string,
  x: number,
  y: number,
  { colour = colours["fg-3"], bold = false, halo = false, align = "left", mostPx = 0 }: WordStyle = {},
): void {
  const font = `${bold ? 600 : 400} 11px ${colours.font}`;
  // Setting a font costs as much as drawing with it.
  if (ctx.font !== font) ctx.font = font;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  const shown = mostPx > 0 ? cutWords(ctx, words, mostPx) : words;
  if (halo) {
    ctx.lineWidth = 4;
    ctx.lineJoin = "round";
    ctx.strokeStyle = colours.bg;
    ctx.strokeText(shown, x, y);
  }
  ctx.fillStyle = colour;
  ctx.fillText(shown, x, y);
}

function cutWords(ctx: CanvasRenderingContext2D, words: string, mostPx: number): string {
  const wide = ctx.measureText(words).width;
  if (wide <= mostPx) return words;
  const kept = Math.max(0, Math.floor((words.length * mostPx) / wide) - 1);
  return kept < 3 ? "" : `${words.slice(0, kept).trimEnd()}…`;
}
