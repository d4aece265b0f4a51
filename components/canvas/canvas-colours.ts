import { useSyncExternalStore } from "react";

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

/** The theme's colours as canvas values. `lanes[0]` is the spine; `unit` is the reader's size of text, as a factor. */
export type CanvasColours = Record<(typeof TOKENS)[number], string> & {
  lanes: string[];
  font: string;
  unit: number;
};

/** The size of the page's text where its reader has chosen none. */
const USUAL_PX = 13;

/** A font of so many pixels at the usual size of text. @param family another than the page's */
export function canvasFont(
  { font, unit }: Pick<CanvasColours, "font" | "unit">,
  weight: 400 | 600,
  px: number,
  family = font,
): string {
  return `${weight} ${px * unit}px ${family}`;
}

let current: CanvasColours | null = null;

function readColours(): CanvasColours {
  current ??= shownColours();
  return current;
}

/** The colours of the light theme, whichever is chosen: those of paper. */
export function lightColours(): CanvasColours {
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

function shownColours(): CanvasColours {
  const probe = document.createElement("span");
  // With forced colours each token would be that of text: a picture in one colour.
  probe.style.setProperty("forced-color-adjust", "none");
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
  const { fontFamily: font, fontSize } = getComputedStyle(document.body);
  probe.remove();
  return { ...tokens, lanes, font, unit: Number.parseFloat(fontSize) / USUAL_PX || 1 };
}

function subscribe(listener: () => void): () => void {
  const renew = () => {
    current = null;
    listener();
  };
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", renew);
  const theme = new MutationObserver(renew);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-text"] });
  return () => {
    scheme.removeEventListener("change", renew);
    theme.disconnect();
  };
}

/** The current theme's colours; a new object after a change, and `null` during server rendering. */
export function useCanvasColours(): CanvasColours | null {
  return useSyncExternalStore(subscribe, readColours, () => null);
}
