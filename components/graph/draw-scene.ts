import { useSyncExternalStore } from "react";
import { type Camera, rowScale, type Size } from "./camera";
import { type GraphLayout, ROW_PX } from "./graph-layout";

/** Everything the graph is drawn from. `screenX` and `lineY` convert graph coordinates to screen coordinates. */
export type Scene = {
  ctx: CanvasRenderingContext2D;
  layout: GraphLayout;
  /** For each item, the colour of the line at and after it. */
  behind: Uint8Array;
  camera: Camera;
  size: Size;
  colours: GraphColours;
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
export function screenX({ camera }: Scene, x: number): number {
  return (x - camera.x) * camera.scale;
}

/** The screen y of a line. */
export function lineY({ camera, layout }: Scene, line: number): number {
  return ((layout.row[line] ?? 0) * ROW_PX - camera.y) * rowScale(camera.scale);
}

/** The height of a label's letters with their tails. */
const LABEL_PX = 13;
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
  { ctx, colours }: Scene,
  text: string,
  x: number,
  y: number,
  { colour = colours["fg-3"], bold = false, halo = false, align = "left", maxPx = 0 }: LabelStyle = {},
): void {
  const font = `${bold ? 600 : 400} 11px ${colours.font}`;
  // Setting a font costs as much as drawing with it.
  if (ctx.font !== font) ctx.font = font;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  const shown = maxPx > 0 ? truncateLabel(ctx, text, maxPx) : text;
  if (halo && shown !== "") {
    // Between the letters of an outlined text lines would still show.
    ctx.fillStyle = colours.bg;
    ctx.fillRect(x - HALO_PX, y - LABEL_PX / 2, ctx.measureText(shown).width + 2 * HALO_PX, LABEL_PX);
  }
  ctx.fillStyle = colour;
  ctx.fillText(shown, x, y);
}

/** A name with what follows it, where that is not ""; of both together too wide, the name is cut and the rest stays. */
export function fitLabel(scene: Scene, name: string, after: string, maxPx: number): string {
  const rest = after === "" ? "" : ` · ${after}`;
  const whole = name + rest;
  if (rest === "" || textWidth(scene, whole) <= maxPx) return whole;
  const cut = truncateLabel(scene.ctx, name, maxPx - textWidth(scene, rest));
  return cut === "" ? truncateLabel(scene.ctx, name, maxPx) : cut + rest;
}

/** How wide a label would be. */
export function textWidth({ ctx, colours }: Scene, text: string): number {
  const font = `400 11px ${colours.font}`;
  if (ctx.font !== font) ctx.font = font;
  return ctx.measureText(text).width;
}

function truncateLabel(ctx: CanvasRenderingContext2D, text: string, maxPx: number): string {
  const wide = ctx.measureText(text).width;
  if (wide <= maxPx) return text;
  const kept = Math.max(0, Math.floor((text.length * maxPx) / wide) - 2);
  return kept < 3 ? "" : `${text.slice(0, kept).trimEnd()}…`;
}

const TOKENS = [
  "bg",
  "panel",
  "raised",
  "sel",
  "line",
  "line-2",
  "line-3",
  "fg",
  "fg-2",
  "fg-3",
  "accent",
  "err",
  "edit",
  "warn",
  "run",
] as const;

/** The theme's colours as canvas values. `lanes[0]` is the spine. */
export type GraphColours = Record<(typeof TOKENS)[number], string> & { lanes: string[]; font: string };

let current: GraphColours | null = null;

function readColours(): GraphColours {
  current ??= shownColours();
  return current;
}

/** The colours of the light theme, whichever is chosen: those of paper. */
export function lightColours(): GraphColours {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  // Tokens have their colours from the root: there is no other way to ask for those of another theme. Nothing is drawn
  // in between.
  dataset.theme = "light";
  try {
    return shownColours();
  } finally {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
  }
}

function shownColours(): GraphColours {
  const probe = document.createElement("span");
  document.body.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const tokens = Object.fromEntries(TOKENS.map((token) => [token, colour(token)])) as Record<
    (typeof TOKENS)[number],
    string
  >;
  const lanes = ["spine", 1, 2, 3, 4, 5, 6, 7, 8].map((lane) =>
    colour(lane === "spine" ? "spine" : `lane-${lane}`),
  );
  const font = getComputedStyle(document.body).fontFamily;
  probe.remove();
  return { ...tokens, lanes, font };
}

function subscribe(listener: () => void): () => void {
  const renew = () => {
    current = null;
    listener();
  };
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", renew);
  const theme = new MutationObserver(renew);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    scheme.removeEventListener("change", renew);
    theme.disconnect();
  };
}

/** The current theme's colours; a new object after a change, and `null` during server rendering. */
export function useGraphColours(): GraphColours | null {
  return useSyncExternalStore(subscribe, readColours, () => null);
}
