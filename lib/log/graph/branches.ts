import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { forkRank, ranksForks } from "./active-fork";
import { firstThrough } from "./first-through";
import { LIVE_MAIN, liveBit } from "./live-steps";
import { namedLeaf } from "./named-leaf";
import { stepAbove } from "./step-above";
import { memberAfter, type Steps } from "./steps";

const NONE = -1;

/** A way through a thread, from a root to a leaf, or to the line that the client went back to. */
export type Branch = {
  /** The step it ends in. */
  leaf: number;
  /** Its last record, by file order. */
  leafRecord: number;
  /** The first step that is this branch's own and not the active one's; -1 for the active branch. */
  ownFrom: number;
};

/**
 * The branches of every thread, the active one first, the others by how recently they were written.
 * The active leaf is the last written: no version since 1.0 marks the dead branches of a rewind, but for
 * one after which nothing was typed (`named-leaf.ts`).
 */
export function findBranches(table: SessionTable, steps: Steps, threads: number): Branch[][] {
  const found = findLeaves(table, steps, threads, stepsGoneOn(steps));
  goToNamedLeaf(table, steps, found[0] ?? []);
  for (const branches of found) markOwn(steps, branches);
  return found;
}

/** Step → 1 where its thread goes on below it. */
export function stepsGoneOn(steps: Steps): Uint8Array {
  const hasChild = new Uint8Array(steps.count);
  for (let step = 0; step < steps.count; step++) {
    const up = at(steps.parent, step);
    if (up !== NONE && at(steps.live, step) && goesOnFrom(steps, step, up)) hasChild[up] = 1;
  }
  return hasChild;
}

/** An agent's own steps below a step of another thread are no way on of that one. */
export function goesOnFrom(steps: Steps, step: number, up: number): boolean {
  if (at(steps.thread, up) === 0) return (at(steps.live, step) & LIVE_MAIN) !== 0;
  return at(steps.thread, up) === at(steps.thread, step);
}

/** The branches of every thread, those written last first; what is each one's own is still to be marked. */
export function findLeaves(
  table: SessionTable,
  steps: Steps,
  threads: number,
  hasChild: Uint8Array,
): Branch[][] {
  const found: Branch[][] = Array.from({ length: threads }, () => []);
  for (let step = 0; step < steps.count; step++) {
    const thread = at(steps.thread, step);
    if (!(at(steps.live, step) & liveBit(thread)) || at(hasChild, step)) continue;
    const leafRecord = lastRecord(steps, step);
    found[thread]?.push({ leaf: step, leafRecord, ownFrom: NONE });
  }
  const ranked = ranksForks(table);
  for (const branches of found) {
    const rank =
      ranked && branches.length > 1 ? (branch: Branch) => forkRank(table, steps, branch.leaf) : () => 0;
    branches.sort((a, b) => rank(b) - rank(a) || lastWritten(table, steps, b) - lastWritten(table, steps, a));
  }
  return found;
}

/** Puts the branch first on which the client says it stands, ending where it says. */
export function goToNamedLeaf(table: SessionTable, steps: Steps, branches: Branch[]): void {
  const named = namedLeaf(table, steps);
  const through = named && firstThrough(steps, branches, named.step);
  if (!through) return;
  if (named.exactly && through.leaf !== named.step) {
    branches.unshift({ leaf: named.step, leafRecord: lastRecord(steps, named.step), ownFrom: NONE });
    return;
  }
  branches.splice(branches.indexOf(through), 1);
  branches.unshift(through);
}

/** The last record of a branch in the file where its thread is written: other files have an order of their own. */
function lastWritten(table: SessionTable, steps: Steps, branch: Branch): number {
  const thread = at(steps.thread, branch.leaf);
  if (thread !== 0) return branch.leafRecord;
  for (let step = branch.leaf; step !== NONE; step = at(steps.parent, step)) {
    const last = lastRecord(steps, step);
    if (table.records.get("file", last) === 0) return last;
  }
  return branch.leafRecord;
}

function lastRecord(steps: Steps, step: number): number {
  let last = NONE;
  for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record))
    last = Math.max(last, record);
  return last;
}

/** Notes of every branch but the first where it leaves that one. */
export function markOwn(steps: Steps, branches: Branch[]): void {
  const [active] = branches;
  if (!active || branches.length === 1) return;
  const thread = at(steps.thread, active.leaf);
  const shared = new Set(pathSteps(steps, active.leaf));
  // Branches part from branches: what one has walked up tells the next.
  const ownFrom = new Map<number, number>();
  for (const branch of branches.slice(1)) {
    const trail: number[] = [];
    let own = branch.leaf;
    while (!ownFrom.has(own)) {
      trail.push(own);
      const up = stepAbove(steps, thread, own);
      if (up === NONE || shared.has(up)) ownFrom.set(own, own);
      else own = up;
    }
    branch.ownFrom = ownFrom.get(own) ?? own;
    for (const step of trail) ownFrom.set(step, branch.ownFrom);
  }
}

/** The steps from where a way begins down to this one. */
export function pathSteps(steps: Steps, leaf: number): number[] {
  const path: number[] = [];
  const thread = at(steps.thread, leaf);
  for (let step = leaf; step !== NONE; step = stepAbove(steps, thread, step)) path.push(step);
  return path.reverse();
}
