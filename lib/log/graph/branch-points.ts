import { at } from "@/lib/log/table/table";
import type { Branch } from "./branches";
import type { Path, SessionGraph } from "./session-graph";
import { stepAbove } from "./steps";

const NONE = -1;

/** The branch points of a graph: built once, in one pass over its steps. */
type BranchPoints = {
  /** Of the main thread, whose walk may lead through other threads. */
  main: Walked;
  /** Of all other threads, which keep to their own steps. */
  own: Walked;
  threads: ThreadPoints[];
};

/** What was met on the way up from the leaves of branches. -1: nothing. */
type Walked = {
  /** Step → the index of the latest branch through it. */
  latest: Int32Array;
  /** Step → the first step found to continue it on some branch. */
  continued: Int32Array;
};

type ThreadPoints = {
  /** The first step of its first branch, -1 for none. */
  root: number;
  /** Forks (-1: its start) → the steps that continue them on some branch. */
  children: Map<number, number[]>;
  /** Step → the branch that ends there while others continue: the client went back to it. */
  ends: Map<number, Branch>;
  /** Leaf → the number of its branch; made when it is first asked for. */
  numbers: ReadonlyMap<number, number> | null;
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
  const found: { child: number; branch: Branch }[] = [];
  for (const child of childrenOf(points, thread, stem)) {
    const branch = latestThrough(graph, points, thread, child);
    if (branch) found.push({ child, branch });
  }
  const end = points.threads[thread]?.ends.get(stem);
  if (end) found.push({ child: NONE, branch: end });
  return found;
}

/** The latest branch of a thread that leads through a step, `null` where none does. */
export function branchThrough(graph: SessionGraph, thread: number, step: number): Branch | null {
  return latestThrough(graph, pointsOf(graph), thread, step);
}

function latestThrough(
  graph: SessionGraph,
  points: BranchPoints,
  thread: number,
  step: number,
): Branch | null {
  if (thread !== 0 && at(graph.steps.thread, step) !== thread) return null;
  return graph.branches[thread]?.[at(walkedOf(points, thread).latest, step)] ?? null;
}

function walkedOf({ main, own }: BranchPoints, thread: number): Walked {
  return thread === 0 ? main : own;
}

function childrenOf(points: BranchPoints, thread: number, stem: number): readonly number[] {
  const known = points.threads[thread];
  const several = known?.children.get(stem);
  if (several || !known) return several ?? [];
  const only = stem === NONE ? known.root : at(walkedOf(points, thread).continued, stem);
  return only === NONE ? [] : [only];
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
  const points = pointsOf(graph).threads[thread];
  if (points?.numbers) return points.numbers;
  const { steps } = graph;
  const begun = (graph.branches[thread] ?? []).map((branch) => {
    if (points?.ends.get(branch.leaf) === branch)
      return { leaf: branch.leaf, first: Number.POSITIVE_INFINITY };
    // A continuation that is the first of its stem goes on with the branch of the stem.
    let step = branch.leaf;
    for (let up = stepAbove(steps, thread, step); up !== NONE; up = stepAbove(steps, thread, step)) {
      const [first] = points?.children.get(up) ?? [];
      if (first !== undefined && first !== step) break;
      step = up;
    }
    return { leaf: branch.leaf, first: at(steps.first, step) };
  });
  begun.sort((a, b) => (a.first === b.first ? a.leaf - b.leaf : a.first - b.first));
  const found = new Map(begun.map(({ leaf }, index) => [leaf, index + 1]));
  if (points) points.numbers = found;
  return found;
}

function findBranchPoints({ steps, branches }: SessionGraph): BranchPoints {
  const walk = (): Walked => ({
    latest: new Int32Array(steps.count).fill(NONE),
    continued: new Int32Array(steps.count).fill(NONE),
  });
  const points: BranchPoints = { main: walk(), own: walk(), threads: [] };
  for (const [thread, list] of branches.entries()) {
    const { latest, continued } = walkedOf(points, thread);
    const children = new Map<number, number[]>();
    let root = NONE;
    for (const [index, branch] of list.entries()) {
      for (let step = branch.leaf; step !== NONE && at(latest, step) === NONE; ) {
        latest[step] = index;
        const up = stepAbove(steps, thread, step);
        const first = up === NONE ? root : at(continued, up);
        const siblings = children.get(up);
        if (siblings) siblings.push(step);
        else if (first !== NONE) children.set(up, [first, step]);
        else if (up === NONE) root = step;
        else continued[up] = step;
        step = up;
      }
    }
    const ends = new Map<number, Branch>();
    for (const branch of list) if (at(continued, branch.leaf) !== NONE) ends.set(branch.leaf, branch);
    for (const siblings of children.values())
      siblings.sort((a, b) => at(steps.first, a) - at(steps.first, b));
    points.threads.push({ root, children, ends, numbers: null });
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
