import type { Path } from "@/lib/log/graph/path";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { stepAbove } from "@/lib/log/graph/step-above";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * For each record of a path that stands first behind a fork, the colour of the way taken there, 1 for the
 * way that was written first: the number that the fork's row shows beside it.
 */
export function branchColours(graph: SessionGraph, path: Path): ReadonlyMap<number, number> {
  const { steps } = graph;
  const { records } = path;
  const { of } = steps;
  const last = path.records.at(-1);
  const thread = last === undefined ? NONE : at(steps.thread, at(steps.of, last));
  const branches = graph.branches[thread] ?? [];
  const colours = new Map<number, number>();
  if (branches.length < 2) return colours;
  // Bytes for each step, and no call for each record: this runs again with every line of a session that is followed.
  const onPath = new Uint8Array(steps.count);
  for (let i = 0; i < records.length; i++) onPath[of[records[i] as number] as number] = 1;
  const ways = new Map<number, Set<number>>();
  const passed = new Set<number>();
  for (const branch of branches) {
    let child = NONE;
    let step = branch.leaf;
    while (step !== NONE && !onPath[step] && !passed.has(step)) {
      passed.add(step);
      child = step;
      step = stepAbove(steps, thread, step);
    }
    if (passed.has(step)) continue;
    const others = ways.get(step) ?? new Set();
    ways.set(step, others);
    // One that ends on the path is the last of the ways there, and takes no number from another.
    if (child !== NONE) others.add(child);
  }
  const hasWays = new Uint8Array(steps.count);
  for (const step of ways.keys()) if (step !== NONE) hasWays[step] = 1;
  let before = NONE;
  for (let i = 0; i < records.length; i++) {
    const record = records[i] as number;
    const step = of[record] as number;
    if (step === before) continue;
    const others = before === NONE || hasWays[before] === 1 ? ways.get(before) : undefined;
    if (others)
      colours.set(
        record,
        1 + [...others].filter((child) => at(steps.first, child) < at(steps.first, step)).length,
      );
    before = step;
  }
  return colours;
}
