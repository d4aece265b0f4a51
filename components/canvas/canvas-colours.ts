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

/** The theme's colours as canvas values. `lanes[0]` is the spine. */
export type CanvasColours = Record<(typeof TOKENS)[number], string> & { lanes: string[]; font: string };

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
export function useCanvasColours(): CanvasColours | null {
  return useSyncExternalStore(subscribe, readColours, () => null);
}
