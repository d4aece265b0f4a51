const KEY = "backscroll.panes";

/**
 * What the reader has made of the columns of panes: widths in pixels (with a context among them the facts are
 * wider), and how the panes of a column share its height, from the upper one on.
 */
export type PaneSizes = {
  agents: number;
  facts: number;
  context: number;
  shares: { agents: readonly number[]; facts: readonly number[] };
};

export const FIRST_SIZES: PaneSizes = {
  agents: 380,
  facts: 320,
  context: 560,
  shares: { agents: [], facts: [] },
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
    const shares = kept?.shares as Partial<Record<keyof PaneSizes["shares"], unknown>> | null | undefined;
    return {
      agents: sizeOf(kept?.agents, FIRST_SIZES.agents),
      facts: sizeOf(kept?.facts, FIRST_SIZES.facts),
      context: sizeOf(kept?.context, FIRST_SIZES.context),
      shares: { agents: sharesOf(shares?.agents), facts: sharesOf(shares?.facts) },
    };
  } catch (cause) {
    if (cause instanceof SyntaxError) return FIRST_SIZES;
    throw cause;
  }
}

/** The sizes that this browser keeps. */
export function loadPaneSizes(): PaneSizes {
  return readPaneSizes(localStorage.getItem(KEY));
}

/** Keeps sizes in this browser, for the next page too. */
export function keepPaneSizes(sizes: PaneSizes): void {
  localStorage.setItem(KEY, JSON.stringify(sizes));
}

/** How much of its column a pane takes next to others; one that nobody has sized takes as much as any. */
export function shareOf(shares: readonly number[], pane: number): number {
  return shares[pane] ?? 1;
}

/** The shares after the edge below pane `above` has been moved: it takes `part` of what the two have together. */
export function withPart(shares: readonly number[], above: number, part: number): number[] {
  const next = Array.from({ length: Math.max(shares.length, above + 2) }, (_, pane) => shareOf(shares, pane));
  const both = shareOf(shares, above) + shareOf(shares, above + 1);
  const kept = Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, part));
  next[above] = both * kept;
  next[above + 1] = both * (1 - kept);
  return next;
}

function sizeOf(kept: unknown, first: number): number {
  return typeof kept === "number" && kept >= LEAST_PANE_PX && kept <= MOST_PANE_PX ? kept : first;
}

function sharesOf(kept: unknown): number[] {
  const fits = (share: unknown) => typeof share === "number" && share > 0 && share < MOST_SHARES;
  return Array.isArray(kept) && kept.length <= MOST_SHARES && kept.every(fits) ? (kept as number[]) : [];
}
