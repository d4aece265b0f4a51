import { useSyncExternalStore } from "react";
import { type Camera, rowScale, type Size } from "./camera";
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

/** The page's colours as a canvas takes them. `lanes[0]` is the spine. */
export type GraphColours = Record<(typeof TOKENS)[number], string> & { lanes: string[]; font: string };

let current: GraphColours | null = null;

function readColours(): GraphColours {
  if (current) return current;
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
  current = { ...tokens, lanes, font };
  return current;
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

/** The colours of the theme on screen; a new object when it changes, `null` while the server renders. */
export function useGraphColours(): GraphColours | null {
  return useSyncExternalStore(subscribe, readColours, () => null);
}
