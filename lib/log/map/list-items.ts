import type { Branch } from "@/lib/log/graph/branches";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { stepAbove } from "@/lib/log/graph/steps";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, Table } from "@/lib/log/table/table";
import { ITEMS, type Item, ItemKind, type Items, itemOfStep, startingCalls } from "./map-items";

/** The items of a graph, and what they were made from. */
export type ItemList = { graph: SessionGraph; chains: Chains; pins: Pins; items: Items };

/** An earlier list of the same session, and the calls about which more is known since. */
export type ItemsBefore = { list: ItemList; calls: ReadonlySet<number> };

/**
 * All items of all chains, in order of chains: a turn's prompt, a compaction, and the runs of steps
 * between them. A run also ends where a branch or an agent leaves or returns, so that lines meet
 * items and never cross them. One pass over the records, or over those that have changed since `before`.
 */
export function listItems(
  table: SessionTable,
  graph: SessionGraph,
  chains: Chains,
  before: ItemsBefore | null = null,
): ItemList {
  const items: Items = new Table(ITEMS);
  const pins = pinsOf(graph, chains);
  const { leaves, forks } = pins;
  const same = before && stepsAsBefore(table, { graph, chains, pins }, before);
  let known = 0;
  const starting = startingCalls(table, graph);
  for (let chain = 0; chain < chains.count; chain++) {
    let run: Item | null = null;
    const flush = () => {
      if (run && (run.kind !== ItemKind.run || run.rows > 0 || run.pinned)) items.push(run);
      run = null;
    };
    const first = items.size;
    let begin = at(chains.start, chain);
    if (before && same) {
      const old = before.list;
      while (known < old.items.size && old.items.chain.at(known) < chain) known++;
      const from = known;
      const shift = begin - at(old.chains.start, chain);
      // The end of an item depends on what follows, which must be unchanged too.
      const end = begin - shift + at(same, chain);
      while (isOf(old.items, known, chain) && old.items.to.at(known) < end) known++;
      items.append(old.items, from, known);
      for (let item = first; item < items.size; item++) {
        items.from.put(item, items.from.at(item) + shift);
        items.to.put(item, items.to.at(item) + shift);
      }
      if (items.size > first) begin = items.to.at(items.size - 1);
    }
    for (let i = begin; i < at(chains.start, chain + 1); i++) {
      const step = at(chains.steps, i);
      const item = itemOfStep(table, graph, starting, step);
      item.chain = chain;
      item.from = i;
      item.to = i + 1;
      item.pinned = at(leaves, step) | at(forks, step);
      const alone = item.kind !== ItemKind.run || at(leaves, step) === 1;
      if (alone) flush();
      run = run ? join(run, item) : item;
      if (alone || at(forks, step)) flush();
    }
    const rest: Item | null = run;
    // A line with nothing to show at the tools level keeps an item all the same.
    if (rest && items.size === first) rest.pinned = 1;
    flush();
  }
  return { graph, chains, pins, items };
}

function isOf(items: Items, item: number, chain: number): boolean {
  return item < items.size && items.chain.at(item) === chain;
}

/** Merges the next item into a run. */
function join(into: Item, next: Item): Item {
  if (into.rows === 0 && into.turns === 0 && next.rows > 0) into.record = next.record;
  into.turns += next.turns;
  into.rows += next.rows;
  into.calls += next.calls;
  into.errors += next.errors;
  into.denied += next.denied;
  into.edits += next.edits;
  into.agents += next.agents;
  into.to = next.to;
  into.pinned |= next.pinned;
  if (Number.isNaN(into.startMs)) into.startMs = next.startMs;
  if (!(next.endMs <= into.endMs) && !Number.isNaN(next.endMs)) into.endMs = next.endMs;
  return into;
}

const NONE = -1;

/** Steps → 1 where an agent leaves or its answer returns, and where a branch leaves. */
export type Pins = { leaves: Uint8Array; forks: Uint8Array };

/** Marks the steps at which lines of the map meet. */
function pinsOf({ steps, notified }: SessionGraph, chains: Chains): Pins {
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
 * For each chain how many of its first steps are unchanged; null where agents have changed, and
 * with them the meaning of any call. Reads step numbers and added records, no earlier record.
 */
function stepsAsBefore(
  table: SessionTable,
  { graph, chains, pins }: Omit<ItemList, "items">,
  { list: before, calls }: ItemsBefore,
): Int32Array | null {
  if (before.graph.threads !== graph.threads || before.graph.duplicates !== graph.duplicates) return null;
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

/** The steps that contain added records, or whose calls or prompts have changed. */
function touchedSteps(
  { blocks, calls: { use: useOf, result: resultOf } }: SessionTable,
  { parents, steps, queuedTurns }: SessionGraph,
  before: SessionGraph,
  calls: ReadonlySet<number>,
): ReadonlySet<number> {
  const touched = new Set<number>();
  for (let record = before.parents.length; record < parents.length; record++)
    touched.add(at(steps.of, record));
  for (const call of calls) {
    const use = useOf.at(call);
    const result = resultOf.at(call);
    // A result whose call is not there has a row of its own.
    for (const block of [use, result]) if (block !== NONE) touched.add(at(steps.of, blocks.record.at(block)));
  }
  if (before.queuedTurns !== queuedTurns) {
    for (const record of [...before.queuedTurns.keys(), ...queuedTurns.keys()])
      if (before.queuedTurns.has(record) !== queuedTurns.has(record)) touched.add(at(steps.of, record));
  }
  return touched;
}

/**
 * The session as lines without forks: the whole active branch, the own part of every other branch,
 * and the same for every agent. Each step that is on some branch is in exactly one chain.
 */
export type Chains = {
  count: number;
  thread: Uint16Array;
  /** The branch whose end each chain is. */
  branches: Branch[];
  /** The chain from which this one forks, -1 for the main one and for agents that no call started. */
  parent: Int32Array;
  /** The step of `parent` after which it forks; -1 where it has a root of its own. */
  fork: Int32Array;
  /** Steps of chain `c`, from first to last: `steps[start[c] … start[c + 1])`. */
  start: Int32Array;
  steps: Int32Array;
  /** Step → chain, -1 for a step on no branch. */
  of: Int32Array;
};

/** Cuts the step tree into chains. Visits each step once; the active branch of the main thread is chain 0. */
export function findChains(table: SessionTable, graph: SessionGraph): Chains {
  const { steps } = graph;
  const total = graph.branches.reduce((sum, branches) => sum + branches.length, 0);
  const chains: Chains = {
    count: 0,
    thread: new Uint16Array(total),
    branches: [],
    parent: new Int32Array(total).fill(NONE),
    fork: new Int32Array(total).fill(NONE),
    start: new Int32Array(total + 1),
    steps: new Int32Array(steps.count),
    of: new Int32Array(steps.count).fill(NONE),
  };
  const firstOfThread = new Int32Array(graph.threads.length).fill(NONE);
  for (let thread = 0; thread < graph.threads.length; thread++) {
    if (graph.threads[thread]?.internal) continue;
    for (const branch of graph.branches[thread] ?? []) {
      if (at(firstOfThread, thread) === NONE) firstOfThread[thread] = chains.count;
      addChain(graph, chains, thread, branch, at(firstOfThread, thread));
    }
  }
  for (let thread = 1; thread < graph.threads.length; thread++) {
    const first = at(firstOfThread, thread);
    const caller = callerStep(table, graph, thread);
    if (first === NONE || caller === NONE) continue;
    chains.parent[first] = at(chains.of, caller);
    chains.fork[first] = caller;
  }
  return chains;
}

function addChain(graph: SessionGraph, chains: Chains, thread: number, branch: Branch, first: number): void {
  const { steps } = graph;
  const chain = chains.count++;
  const from = at(chains.start, chain);
  let to = from;
  let step = branch.leaf;
  // If another thread's branch contains the leaf, this chain has no steps.
  while (step !== NONE && at(chains.of, step) === NONE) {
    chains.of[step] = chain;
    chains.steps[to++] = step;
    step = stepAbove(steps, thread, step);
  }
  chains.steps.subarray(from, to).reverse();
  chains.start[chain + 1] = to;
  chains.thread[chain] = thread;
  chains.branches.push(branch);
  if (chain === first) return;
  const joins =
    step !== NONE && at(chains.of, step) !== NONE && at(chains.thread, at(chains.of, step)) === thread;
  chains.parent[chain] = joins ? at(chains.of, step) : first;
  chains.fork[chain] = joins ? step : NONE;
}

/** The step of the call that started a thread, -1 if none is known or it is on no branch. */
function callerStep(
  { calls, blocks }: SessionTable,
  { threads, steps }: SessionGraph,
  thread: number,
): number {
  const call = threads[thread]?.call ?? NONE;
  const use = call === NONE ? NONE : calls.use.at(call);
  return use === NONE ? NONE : at(steps.of, blocks.record.at(use));
}
