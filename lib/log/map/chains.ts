import type { Branch } from "@/lib/log/graph/branches";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { stepAbove } from "@/lib/log/graph/step-above";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const NONE = -1;

/**
 * The session as lines that never part: the active branch whole, of every other branch what is its own,
 * and the same for every agent. Each step that is on some branch stands in exactly one chain.
 */
export type Chains = {
  count: number;
  thread: Uint16Array;
  /** The branch that each chain ends. */
  branches: Branch[];
  /** The chain that this one leaves, -1 for the main one and for agents that no call started. */
  parent: Int32Array;
  /** The step of `parent` behind which it leaves; -1 where it has a root of its own. */
  fork: Int32Array;
  /** Steps of chain `c`, from first to last: `steps[start[c] … start[c + 1])`. */
  start: Int32Array;
  steps: Int32Array;
  /** Step → chain, -1 for what is on no branch. */
  of: Int32Array;
};

/** Cuts the step tree into chains. One visit a step; the active branch of the main thread is chain 0. */
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
  // A leaf that another thread's way holds already keeps this one without steps.
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

/** The step of the call that started a thread, -1 if none is known or it lies on no branch. */
function callerStep(
  { calls, blocks }: SessionTable,
  { threads, steps }: SessionGraph,
  thread: number,
): number {
  const call = threads[thread]?.call ?? NONE;
  const use = call === NONE ? NONE : calls.get("use", call);
  return use === NONE ? NONE : at(steps.of, blocks.get("record", use));
}
