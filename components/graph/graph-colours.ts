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
