import type { MinimapResponse } from "@/lib/wire/graph";

/** SVG paths of a minimap, one for each kind of mark, in its pixels; `agents` one for each lane. */
export type MinimapMarks = {
  density: string;
  prompts: string;
  agents: ReadonlyMap<number, string>;
  edits: string;
  errors: string;
  compactions: string;
  finds: string;
};

const LEFT_PX = 14;
const MOST_WIDE_PX = 26;
const PROMPT_PX = 34;
const BAR_PITCH_PX = 3;
const AGENT_COLUMNS = 3;

/**
 * Draws a thread's rows in proportion: what is said and done as bars, prompts as full strokes, agents left,
 * edits and errors right, compactions as a double rule.
 */
export function minimapMarks(rows: MinimapResponse, heightPx: number): MinimapMarks {
  const px = heightPx / rows.buckets;
  const yOf = (bucket: number) => Math.round(bucket * px * 2) / 2;
  // Where marks would stand closer than they are high, not every one is drawn.
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
  return {
    density: densityPath(rows, heightPx),
    prompts: marked(rows.prompts, 4, (y) => `M${LEFT_PX} ${y}h${PROMPT_PX}v2h-${PROMPT_PX}z`),
    agents: agentPaths(rows.agents, yOf),
    edits: marked(rows.edits, 7, (y) => `M47.5 ${y - 3}l3 3-3 3-3-3z`),
    errors: marked(rows.errors, 7, (y) => `M45 ${y - 2.5}l5 5M50 ${y - 2.5}l-5 5`),
    finds: marked(rows.finds, 3, (y) => `M38 ${y - 1}h14v2.5h-14z`),
    compactions: marked(rows.compactions, 4, (y) => `M0 ${y - 3.5}h56M0 ${y - 0.5}h56`),
  };
}

function densityPath({ density, buckets, prompts }: MinimapResponse, heightPx: number): string {
  const taken = new Set(prompts.map((bucket) => Math.round(((bucket / buckets) * heightPx) / BAR_PITCH_PX)));
  let path = "";
  for (let bar = 0; bar * BAR_PITCH_PX < heightPx - 1; bar++) {
    const bucket = Math.floor(((bar * BAR_PITCH_PX) / heightPx) * buckets);
    const much = Number(density[bucket] ?? 0);
    if (much === 0 || taken.has(bar)) continue;
    // A little unevenness, so that rows look like rows and not like a block.
    const wide = Math.max(4, (MOST_WIDE_PX * much) / 9 - ((bar * 7) % 9));
    path += `M${LEFT_PX} ${bar * BAR_PITCH_PX}h${Math.round(wide)}v1.5H${LEFT_PX}z`;
  }
  return path;
}

/** Agents that are out at the same time stand beside each other, as far as there is room. */
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
