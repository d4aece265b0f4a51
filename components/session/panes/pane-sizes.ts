import { useSyncExternalStore } from "react";
import type { Pane } from "@/lib/client/address/session-url";
import { Listeners } from "@/lib/client/listeners";
import { readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";

const KEY = "backscroll.panes";

/**
 * How the reader has sized the columns beside the thread: widths in pixels (with a context among them the facts are
 * wider), and how much of its column's height each pane takes, by the pane's name.
 */
export type PaneSizes = {
  outline: number;
  agents: number;
  facts: number;
  context: number;
  shares: PaneShares;
};

/** Heights relative to other panes of the column, by `paneName`; a pane that is not listed has 1. */
export type PaneShares = Readonly<Record<string, number>>;

export const FIRST_SIZES: PaneSizes = {
  outline: 264,
  agents: 380,
  facts: 320,
  context: 560,
  shares: {},
};
export const MIN_PANE_PX = 240;
export const MAX_PANE_PX = 1200;
export const MAX_OUTLINE_PX = 480;
/** The outline gives way to panes where less than this would be left for the thread. */
const MIN_THREAD_PX = 520;
/** Of the height that two panes have together. */
export const MIN_SHARE = 0.1;
const MAX_SHARES = 16;

/** The kept sizes; what is missing or not allowed is as at first. */
export function readPaneSizes(text: string | null): PaneSizes {
  const kept = fieldsOf(parseJson(text));
  return {
    outline: Math.min(MAX_OUTLINE_PX, sizeOf(kept.outline, FIRST_SIZES.outline)),
    agents: sizeOf(kept.agents, FIRST_SIZES.agents),
    facts: sizeOf(kept.facts, FIRST_SIZES.facts),
    context: sizeOf(kept.context, FIRST_SIZES.context),
    shares: sharesOf(kept.shares),
  };
}

/** The sizes as they are now: what is dragged moves at once, and is kept when it has been let go of. */
let current: PaneSizes | null = null;
const listeners = new Listeners();

function currentSizes(): PaneSizes {
  current ??= readPaneSizes(readStored(KEY));
  return current;
}

function resize(change: Partial<PaneSizes>): void {
  current = { ...currentSizes(), ...change };
  listeners.tell();
}

/** Keeps the sizes in this browser, for the next page too. */
function keep(): void {
  writeStored(KEY, JSON.stringify(currentSizes()));
}

/** The sizes of the columns beside the thread, how one changes them, and how they are kept. */
export function usePaneSizes(): {
  sizes: PaneSizes;
  resize: (change: Partial<PaneSizes>) => void;
  keep: () => void;
} {
  const sizes = useSyncExternalStore(listeners.add, currentSizes, () => FIRST_SIZES);
  return { sizes, resize, keep };
}

/** A column of panes, and the name of its width, which is another one while a context stands among the facts. */
export type PaneColumn = {
  of: "agents" | "facts";
  width: "agents" | "facts" | "context";
  shown: Pane[];
};

/** The columns that these panes stand in: agents in one, facts about them in another. */
export function paneColumns(listed: readonly Pane[]): PaneColumn[] {
  const agents = listed.filter(({ kind }) => kind === "agent");
  const facts = listed.filter(({ kind }) => kind !== "agent");
  const columns: PaneColumn[] = [
    { of: "agents", width: "agents", shown: agents },
    {
      of: "facts",
      width: facts.some(({ kind }) => kind === "context") ? "context" : "facts",
      shown: facts,
    },
  ];
  return columns.filter(({ shown }) => shown.length > 0);
}

/** Where the page is so narrow, a pane lies over all of it: below `md` (`app/globals.css`). */
export const COVERS_PAGE = "(width < 960px)";

/** What a pane, or what else lies over such a page, has besides its own classes: it leaves the foot free. */
export const OVER_PAGE = "max-md:absolute max-md:inset-x-0 max-md:top-0 max-md:-bottom-(--foot) max-md:z-20";

/** Whether a pane would lie over this page; never on the server. */
export function panesCoverPage(): boolean {
  return globalThis.matchMedia?.(COVERS_PAGE).matches ?? false;
}

/** Whether a page of this width has room for the outline beside the panes and the thread. */
export function hasRoomForOutline(pagePx: number, sizes: PaneSizes, listed: readonly Pane[]): boolean {
  const columns = paneColumns(listed);
  const panesPx = columns.reduce((sum, { width }) => sum + sizes[width], 0);
  return columns.length === 0 || pagePx - sizes.outline - panesPx >= MIN_THREAD_PX;
}

function subscribeWidth(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

/** The same for this page, as wide as it is. */
export function useRoomForOutline(listed: readonly Pane[]): boolean {
  const { sizes } = usePaneSizes();
  return useSyncExternalStore(
    subscribeWidth,
    () => hasRoomForOutline(window.innerWidth, sizes, listed),
    () => true,
  );
}

/** How much of its column a pane takes next to others; one that was never sized takes as much as any. */
export function heightShareOf(shares: PaneShares, name: string): number {
  return shares[name] ?? 1;
}

/** The shares after the edge between two panes has been moved: `above` takes `part` of what they have together. */
export function withPart(shares: PaneShares, above: string, below: string, part: number): PaneShares {
  const both = heightShareOf(shares, above) + heightShareOf(shares, below);
  const kept = Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, part));
  const { [above]: _above, [below]: _below, ...others } = shares;
  // Agents come and go: those sized longest ago are forgotten.
  const newest = Object.entries(others).slice(2 - MAX_SHARES);
  return { ...Object.fromEntries(newest), [above]: both * kept, [below]: both * (1 - kept) };
}

function sizeOf(kept: unknown, first: number): number {
  return typeof kept === "number" && kept >= MIN_PANE_PX && kept <= MAX_PANE_PX ? kept : first;
}

function sharesOf(kept: unknown): PaneShares {
  const entries = Object.entries(fieldsOf(kept)).slice(-MAX_SHARES);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => {
      const share = entry[1];
      return typeof share === "number" && share > 0 && share < MAX_SHARES;
    }),
  );
}
