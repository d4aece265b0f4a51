const KEY = "backscroll.panes";

/** What the reader has made the columns of panes, in pixels. With a context among them the facts are wider. */
export type PaneSizes = { agents: number; facts: number; context: number };

export const FIRST_SIZES: PaneSizes = { agents: 380, facts: 320, context: 560 };
export const LEAST_PANE_PX = 240;
export const MOST_PANE_PX = 1200;

/** The kept sizes; what is missing or not allowed is as at first. */
export function readPaneSizes(text: string | null): PaneSizes {
  try {
    const kept = JSON.parse(text ?? "{}") as Partial<Record<keyof PaneSizes, unknown>>;
    return {
      agents: sizeOf(kept.agents, FIRST_SIZES.agents),
      facts: sizeOf(kept.facts, FIRST_SIZES.facts),
      context: sizeOf(kept.context, FIRST_SIZES.context),
    };
  } catch (cause) {
    if (cause instanceof SyntaxError) return FIRST_SIZES;
    throw cause;
  }
}

export function loadPaneSizes(): PaneSizes {
  return readPaneSizes(localStorage.getItem(KEY));
}

export function keepPaneSizes(sizes: PaneSizes): void {
  localStorage.setItem(KEY, JSON.stringify(sizes));
}

function sizeOf(kept: unknown, first: number): number {
  return typeof kept === "number" && kept >= LEAST_PANE_PX && kept <= MOST_PANE_PX ? kept : first;
}
