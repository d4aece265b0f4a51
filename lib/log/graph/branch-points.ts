import { at } from "@/lib/log/table/table";
import type { Branch } from "./branches";
import type { Path, SessionGraph } from "./session-graph";
import { stepAbove } from "./steps";

const NONE = -1;

/** The branch points of a graph: built once, in one pass over its steps. */
type BranchPoints = {
  /** Thread → step (-1 for its start) → the steps that continue it on some branch. */
  children: Map<number, number[]>[];
  /** Thread → step → the latest branch through it. */
  latest: Map<number, Branch>[];
  /** Thread → step → the branch that ends there while others continue: the client went back to it. */
  ends: Map<number, Branch>[];
  /** Thread → leaf → the number of its branch; made when it is first asked for. */
  numbers: ReadonlyMap<number, number>[];
};

const branchPointsOf = new WeakMap<SessionGraph, BranchPoints>();

/**
 * The continuations of a step of a thread (-1: of its start), each with its first step and the most recently
 * written branch through that. Ordered by their first lines; last comes the branch that ends here while others
 * continue, with -1 as its first step.
 */
export function branchesFrom(
  graph: SessionGraph,
  thread: number,
  stem: number,
): { child: number; branch: Branch }[] {
  const points = pointsOf(graph);
  const latest = points.latest[thread];
  const on = (points.children[thread]?.get(stem) ?? []).flatMap((child) => {
    const branch = latest?.get(child);
    return branch ? [{ child, branch }] : [];
  });
  const end = points.ends[thread]?.get(stem);
  return end ? [...on, { child: NONE, branch: end }] : on;
}

function pointsOf(graph: SessionGraph): BranchPoints {
  let points = branchPointsOf.get(graph);
  if (!points) {
    points = findBranchPoints(graph);
    branchPointsOf.set(graph, points);
  }
  return points;
}

/**
 * The numbers of a thread's branches, from 1, by their leaves: the order in which they were begun, so that one that
 * comes changes no other's. Where the client went back to a line that others continue, that is the last one.
 */
export function branchNumbers(graph: SessionGraph, thread: number): ReadonlyMap<number, number> {
  const { children, ends, numbers } = pointsOf(graph);
  const known = numbers[thread];
  if (known) return known;
  const { steps } = graph;
  const begun = (graph.branches[thread] ?? []).map((branch) => {
    if (ends[thread]?.get(branch.leaf) === branch)
      return { leaf: branch.leaf, first: Number.POSITIVE_INFINITY };
    // A continuation that is the first of its stem goes on with the branch of the stem.
    let step = branch.leaf;
    for (let up = stepAbove(steps, thread, step); up !== NONE; up = stepAbove(steps, thread, step)) {
      const [first] = children[thread]?.get(up) ?? [];
      if (first !== undefined && first !== step) break;
      step = up;
    }
    return { leaf: branch.leaf, first: at(steps.first, step) };
  });
  begun.sort((a, b) => (a.first === b.first ? a.leaf - b.leaf : a.first - b.first));
  const found = new Map(begun.map(({ leaf }, index) => [leaf, index + 1]));
  numbers[thread] = found;
  return found;
}

/** Only forks are kept: a step with one continuation needs no look-up. */
function findBranchPoints({ steps, branches }: SessionGraph): BranchPoints {
  const points: BranchPoints = { children: [], latest: [], ends: [], numbers: [] };
  for (const [thread, list] of branches.entries()) {
    const children = new Map<number, number[]>();
    const latest = new Map<number, Branch>();
    const ends = new Map<number, Branch>();
    points.children.push(children);
    points.latest.push(latest);
    points.ends.push(ends);
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
  return points;
}

/** Where other branches leave a path. */
export type Forks = {
  /** Its records that directly follow a point where another branch leaves or ends. */
  before: ReadonlySet<number>;
  /** Others continue from its end: the client went back to that line, and nothing was typed since. */
  atEnd: boolean;
};

/** Finds the forks of a path: the points with more than one continuation. Visits each step once. */
export function findForks(graph: SessionGraph, { records }: Pick<Path, "records">): Forks {
  const { steps } = graph;
  const last = records.length > 0 ? at(steps.of, at(records, records.length - 1)) : NONE;
  const thread = last === NONE ? NONE : at(steps.thread, last);
  const branches = graph.branches[thread] ?? [];
  if (branches.length < 2) return { before: new Set(), atEnd: false };
  const onPath = new Uint8Array(steps.count);
  const { of } = steps;
  // No call per record: this runs again with every line of a session that is followed.
  for (let i = 0; i < records.length; i++) onPath[of[records[i] as number] as number] = 1;
  const forksAfter = new Set<number>();
  const walked = new Set<number>();
  let atEnd = false;
  for (const { leaf } of branches) {
    let step = leaf;
    for (; step !== NONE && !onPath[step] && !walked.has(step); step = stepAbove(steps, thread, step))
      walked.add(step);
    if (walked.has(step)) continue;
    forksAfter.add(step);
    if (step === last && leaf !== last) atEnd = true;
  }
  const leaves = new Uint8Array(steps.count);
  for (const step of forksAfter) if (step !== NONE) leaves[step] = 1;
  const before = new Set<number>();
  let above = NONE;
  for (let i = 0; i < records.length; i++) {
    const record = records[i] as number;
    const step = of[record] as number;
    if (step === above) continue;
    if (above === NONE ? forksAfter.has(NONE) : leaves[above] === 1) before.add(record);
    above = step;
  }
  return { before, atEnd };
}
