import { at } from "@/lib/log/table/table";
import type { Path } from "./path";
import type { SessionGraph } from "./session-graph";
import { stepAbove } from "./step-above";

const NONE = -1;

/** Where a path has other ways beside it. */
export type Forks = {
  /** Its records that stand first behind a place where another branch leaves, or ends. */
  before: ReadonlySet<number>;
  /** Others go on from where it ends: the client went back to that line, and nothing was typed since. */
  atEnd: boolean;
};

/** Finds the forks of a path: the places from which `waysOn` knows more than one way. Each step is walked once. */
export function findForks(graph: SessionGraph, { records }: Pick<Path, "records">): Forks {
  const { steps } = graph;
  const last = records.length > 0 ? at(steps.of, at(records, records.length - 1)) : NONE;
  const thread = last === NONE ? NONE : at(steps.thread, last);
  const branches = graph.branches[thread] ?? [];
  if (branches.length < 2) return { before: new Set(), atEnd: false };
  const onPath = new Uint8Array(steps.count);
  const { of } = steps;
  // No call for each record: this runs again with every line of a session that is followed.
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
