import type { MinimapResponse } from "@/lib/wire/graph";

/** SVG paths for a minimap of a given height, one per kind of mark; `agents` has one per lane. */
export type MinimapMarks = {
  density: string;
  prompts: string;
  agents: ReadonlyMap<number, string>;
  edits: string;
  errors: string;
  /** Refused calls, which are no errors. */
  denied: string;
  compactions: string;
  finds: string;
  /** The same places as the reader's own comments and bookmarks are drawn. */
  own: string;
};

const LEFT_PX = 14;
const MAX_BAR_PX = 26;
const PROMPT_PX = 34;
const BAR_PITCH_PX = 3;
const AGENT_COLUMNS = 3;

/**
 * Draws a thread to scale: text and calls as bars, prompts as full strokes, agents on the left, edits and errors on the
 * right, compactions as double rules.
 */
export function minimapMarks(rows: MinimapResponse, heightPx: number): MinimapMarks {
  const px = heightPx / rows.buckets;
  const yOf = (bucket: number) => Math.round(bucket * px * 2) / 2;
  // Marks that would overlap the previous one are left out.
  const marked = (buckets: readonly number[], gapPx: number, draw: (y: number) => string) => {
    let last = Number.NEGATIVE_INFINITY;
    let path = "";
    for (const bucket of buckets) {
      const y = yOf(bucket);
      if (y - last < gapPx) continue;
      last = y;
      path += draw(y);
    }
    return path;
  };
  const denied = new Set(rows.denied);
  return {
    density: densityPath(rows, heightPx),
    prompts: marked(rows.prompts, 4, (y) => `M${LEFT_PX} ${y}h${PROMPT_PX}v2h-${PROMPT_PX}z`),
    agents: agentPaths(rows.agents, yOf),
    edits: marked(rows.edits, 7, (y) => `M47.5 ${y - 3}l3 3-3 3-3-3z`),
    errors: marked(
      rows.errors.filter((bucket) => !denied.has(bucket)),
      7,
      (y) => `M45 ${y - 2.5}l5 5M50 ${y - 2.5}l-5 5`,
    ),
    // A circle with a stroke through it, as in the thread.
    denied: marked(rows.denied, 7, (y) => `M44.5 ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0M45.4 ${y - 2.1}l4.2 4.2`),
    finds: marked(rows.finds, 3, (y) => `M38 ${y - 1}h14v2.5h-14z`),
    own: marked(rows.finds, 5, (y) => `M0 ${y - 2.5}h7v5H0z`),
    compactions: marked(rows.compactions, 4, (y) => `M0 ${y - 3.5}h56M0 ${y - 0.5}h56`),
  };
}

function densityPath({ density, buckets, prompts }: MinimapResponse, heightPx: number): string {
  const taken = new Set(prompts.map((bucket) => Math.round(((bucket / buckets) * heightPx) / BAR_PITCH_PX)));
  let path = "";
  for (let bar = 0; bar * BAR_PITCH_PX < heightPx - 1; bar++) {
    const bucket = Math.floor(((bar * BAR_PITCH_PX) / heightPx) * buckets);
    const level = Number(density[bucket] ?? 0);
    if (level === 0 || taken.has(bar)) continue;
    // Bars vary a little in width, so that they look like rows rather than a block.
    const widthPx = Math.max(4, (MAX_BAR_PX * level) / 9 - ((bar * 7) % 9));
    path += `M${LEFT_PX} ${bar * BAR_PITCH_PX}h${Math.round(widthPx)}v1.5H${LEFT_PX}z`;
  }
  return path;
}

/** Agents that run at the same time are drawn side by side, as far as there is room. */
function agentPaths(agents: readonly number[], yOf: (bucket: number) => number): ReadonlyMap<number, string> {
  const paths = new Map<number, string>();
  const ends: number[] = [];
  for (let i = 0; i + 2 < agents.length; i += 3) {
    const y = yOf(agents[i] ?? 0);
    const end = Math.max(y + 4, yOf((agents[i + 1] ?? 0) + 1));
    const lane = agents[i + 2] ?? 1;
    let column = 0;
    while (column < AGENT_COLUMNS - 1 && (ends[column] ?? -1) > y) column++;
    ends[column] = end;
    paths.set(lane, `${paths.get(lane) ?? ""}M${9 - 3.5 * column} ${y}h2v${end - y}h-2z`);
  }
  return paths;
}
