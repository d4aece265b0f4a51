import { at } from "@/lib/log/table/table";
import type { Branch } from "./branches";
import type { SessionGraph } from "./session-graph";
import { stepAbove } from "./step-above";

const NONE = -1;

/** Which branches go on from where: made once for a graph, in one pass over its steps. */
type Ways = {
  /** Thread → step (-1 for its start) → the steps that its ways go on with. */
  children: Map<number, number[]>[];
  /** Thread → step → the latest branch through it. */
  latest: Map<number, Branch>[];
  /** Thread → step → the branch that ends there while others go on: the client went back to it. */
  ends: Map<number, Branch>[];
};

const waysOf = new WeakMap<SessionGraph, Ways>();

/**
 * The ways on from a step of a thread (-1: from its start), each with its first step and the branch
 * that was written last of those that take it. Ordered by their first lines; last the one that ends
 * here while others go on, whose first step is -1.
 */
export function waysOn(
  graph: SessionGraph,
  thread: number,
  stem: number,
): { child: number; branch: Branch }[] {
  let ways = waysOf.get(graph);
  if (!ways) {
    ways = findWays(graph);
    waysOf.set(graph, ways);
  }
  const latest = ways.latest[thread];
  const on = (ways.children[thread]?.get(stem) ?? []).flatMap((child) => {
    const branch = latest?.get(child);
    return branch ? [{ child, branch }] : [];
  });
  const end = ways.ends[thread]?.get(stem);
  return end ? [...on, { child: NONE, branch: end }] : on;
}

/** Only forks are kept: a step with one way on needs no look-up. */
function findWays({ steps, branches }: SessionGraph): Ways {
  const ways: Ways = { children: [], latest: [], ends: [] };
  for (const [thread, list] of branches.entries()) {
    const children = new Map<number, number[]>();
    const latest = new Map<number, Branch>();
    const ends = new Map<number, Branch>();
    ways.children.push(children);
    ways.latest.push(latest);
    ways.ends.push(ends);
    if (list.length < 2) continue;
    for (const branch of list) {
      for (let step = branch.leaf; step !== NONE && !latest.has(step); ) {
        latest.set(step, branch);
        const up = stepAbove(steps, thread, step);
        const siblings = children.get(up);
        if (siblings) siblings.push(step);
        else children.set(up, [step]);
        step = up;
      }
    }
    for (const branch of list) if (children.has(branch.leaf)) ends.set(branch.leaf, branch);
    for (const siblings of children.values())
      siblings.sort((a, b) => at(steps.first, a) - at(steps.first, b));
  }
  return ways;
}
