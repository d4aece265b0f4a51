import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { Chains } from "./chains";
import type { ItemList, ItemsBefore } from "./list-items";

const NONE = -1;

/** Steps → 1 where an agent leaves or its answer comes back, and where a branch leaves. */
export type Pins = { leaves: Uint8Array; forks: Uint8Array };

/** Marks the steps at which lines of the map meet. */
export function pinsOf({ steps, notified }: SessionGraph, chains: Chains): Pins {
  const leaves = new Uint8Array(steps.count);
  const forks = new Uint8Array(steps.count);
  for (let chain = 0; chain < chains.count; chain++) {
    const step = at(chains.fork, chain);
    if (step === NONE) continue;
    const isAgent = at(chains.thread, chain) !== at(chains.thread, at(chains.parent, chain));
    if (isAgent) leaves[step] = 1;
    else forks[step] = 1;
  }
  for (const record of notified.keys()) leaves[at(steps.of, record)] = 1;
  return { leaves, forks };
}

/**
 * For each chain how many of its first steps show what they showed before; null where agents have changed, and
 * with them what any call may be. Reads numbers of steps and what was added, no record of before.
 */
export function stepsAsBefore(
  table: SessionTable,
  { graph, chains, pins }: Omit<ItemList, "items">,
  { list: before, calls }: ItemsBefore,
): Int32Array | null {
  if (before.graph.threads !== graph.threads || before.graph.copies !== graph.copies) return null;
  const touched = touchedSteps(table, graph, before.graph, calls);
  const same = new Int32Array(chains.count);
  for (let chain = 0; chain < Math.min(chains.count, before.chains.count); chain++) {
    const [from, oldFrom] = [at(chains.start, chain), at(before.chains.start, chain)];
    const most = Math.min(at(chains.start, chain + 1) - from, at(before.chains.start, chain + 1) - oldFrom);
    let steps = 0;
    while (steps < most) {
      const step = at(chains.steps, from + steps);
      if (step !== at(before.chains.steps, oldFrom + steps) || touched.has(step)) break;
      if (at(pins.leaves, step) !== at(before.pins.leaves, step)) break;
      if (at(pins.forks, step) !== at(before.pins.forks, step)) break;
      steps++;
    }
    same[chain] = steps;
  }
  return same;
}

/** The steps that hold records that were added, or show more of a call or prompt than before. */
function touchedSteps(
  { blocks, calls: { columns } }: SessionTable,
  { parents, steps, queuedTurns }: SessionGraph,
  before: SessionGraph,
  calls: ReadonlySet<number>,
): ReadonlySet<number> {
  const touched = new Set<number>();
  for (let record = before.parents.length; record < parents.length; record++)
    touched.add(at(steps.of, record));
  for (const call of calls) {
    const use = at(columns.use, call);
    if (use !== NONE) touched.add(at(steps.of, blocks.get("record", use)));
  }
  if (before.queuedTurns !== queuedTurns) {
    for (const record of [...before.queuedTurns.keys(), ...queuedTurns.keys()])
      if (before.queuedTurns.has(record) !== queuedTurns.has(record)) touched.add(at(steps.of, record));
  }
  return touched;
}
