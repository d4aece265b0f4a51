import { type Pane, paneKey } from "@/lib/client/session-url";
import { readStored, writeStored } from "@/lib/client/storage";

const KEY = "backscroll.panes";

/**
 * How the reader has sized the columns of panes: widths in pixels (with a context among them the facts are
 * wider), and how much of its column's height each pane takes, by the pane's name.
 */
export type PaneSizes = {
  agents: number;
  facts: number;
  context: number;
  shares: PaneShares;
};

/** Heights relative to other panes of the column, by `paneName`; a pane that is not listed has 1. */
export type PaneShares = Readonly<Record<string, number>>;

export const FIRST_SIZES: PaneSizes = {
  agents: 380,
  facts: 320,
  context: 560,
  shares: {},
};
export const LEAST_PANE_PX = 240;
export const MOST_PANE_PX = 1200;
/** Of the height that two panes have together. */
export const LEAST_SHARE = 0.1;
const MOST_SHARES = 16;

/** The kept sizes; what is missing or not allowed is as at first. */
export function readPaneSizes(text: string | null): PaneSizes {
  try {
    const kept = JSON.parse(text ?? "{}") as Partial<Record<keyof PaneSizes, unknown>> | null;
    return {
      agents: sizeOf(kept?.agents, FIRST_SIZES.agents),
      facts: sizeOf(kept?.facts, FIRST_SIZES.facts),
      context: sizeOf(kept?.context, FIRST_SIZES.context),
      shares: sharesOf(kept?.shares),
    };
  } catch (cause) {
    if (cause instanceof SyntaxError) return FIRST_SIZES;
    throw cause;
  }
}

/** The sizes that this browser keeps. */
export function loadPaneSizes(): PaneSizes {
  return readPaneSizes(readStored(KEY));
}

/** Keeps sizes in this browser, for the next page too. */
export function keepPaneSizes(sizes: PaneSizes): void {
  writeStored(KEY, JSON.stringify(sizes));
}

/** What a pane's height is kept under: agents stand side by side, of the others there is one of each kind. */
export function paneName(pane: Pane): string {
  return pane.kind === "agent" ? paneKey(pane) : pane.kind;
}

/** How much of its column a pane takes next to others; one that was never sized takes as much as any. */
export function shareOf(shares: PaneShares, name: string): number {
  return shares[name] ?? 1;
}

/** The shares after the edge between two panes has been moved: `above` takes `part` of what they have together. */
export function withPart(shares: PaneShares, above: string, below: string, part: number): PaneShares {
  const both = shareOf(shares, above) + shareOf(shares, below);
  const kept = Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, part));
  const { [above]: _above, [below]: _below, ...others } = shares;
  // Agents come and go: those sized longest ago are forgotten.
  const newest = Object.entries(others).slice(2 - MOST_SHARES);
  return { ...Object.fromEntries(newest), [above]: both * kept, [below]: both * (1 - kept) };
}

function sizeOf(kept: unknown, first: number): number {
  return typeof kept === "number" && kept >= LEAST_PANE_PX && kept <= MOST_PANE_PX ? kept : first;
}

function sharesOf(kept: unknown): PaneShares {
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return {};
  const entries: [string, unknown][] = Object.entries(kept).slice(-MOST_SHARES);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => {
      const share = entry[1];
      return typeof share === "number" && share > 0 && share < MOST_SHARES;
    }),
  );
}
