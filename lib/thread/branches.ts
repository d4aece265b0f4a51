import type { SessionTable } from "./session-table";
import type { Steps } from "./steps";
import { at } from "./table";

const NONE = -1;

/** A way through a thread, from a root to a leaf. */
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
 * The active leaf is the last written: no version marks the dead branches of a rewind.
 */
export function findBranches(table: SessionTable, steps: Steps, threads: number): Branch[][] {
  const hasChild = new Uint8Array(steps.count);
  for (let step = 0; step < steps.count; step++) {
    const up = at(steps.parent, step);
    if (up === NONE || !at(steps.live, step)) continue;
    // An agent's own steps below a step of the main thread are no branch of it.
    if (at(steps.live, step) & liveBit(at(steps.thread, up))) hasChild[up] = 1;
  }
  const found: Branch[][] = Array.from({ length: threads }, () => []);
  for (let step = 0; step < steps.count; step++) {
    const thread = at(steps.thread, step);
    if (!(at(steps.live, step) & liveBit(thread)) || at(hasChild, step)) continue;
    const leafRecord = at(steps.members, at(steps.memberStart, step + 1) - 1);
    found[thread]?.push({ leaf: step, leafRecord, ownFrom: NONE });
  }
  for (const branches of found) {
    branches.sort((a, b) => lastWritten(table, steps, b) - lastWritten(table, steps, a));
    markOwn(steps, branches);
  }
  return found;
}

/** The last record of a branch in the file where its thread is written: other files have an order of their own. */
function lastWritten(table: SessionTable, steps: Steps, branch: Branch): number {
  const thread = at(steps.thread, branch.leaf);
  if (thread !== 0) return branch.leafRecord;
  for (let step = branch.leaf; step !== NONE; step = at(steps.parent, step)) {
    const last = at(steps.members, at(steps.memberStart, step + 1) - 1);
    if (table.records.get("file", last) === 0) return last;
  }
  return branch.leafRecord;
}

/** The live bit that keeps a step on a thread's ways: 1 for the main thread, 2 for any agent. */
function liveBit(thread: number): number {
  return thread === 0 ? 1 : 2;
}

function markOwn(steps: Steps, branches: Branch[]): void {
  const [active] = branches;
  if (!active || branches.length === 1) return;
  const shared = new Set(pathSteps(steps, active.leaf));
  for (const branch of branches.slice(1)) {
    let own = branch.leaf;
    for (let up = at(steps.parent, own); up !== NONE && !shared.has(up); up = at(steps.parent, up)) own = up;
    branch.ownFrom = own;
  }
}

/** The steps from the root down to this one, within the step's thread (the main thread may pass through agents' files). */
export function pathSteps(steps: Steps, leaf: number): number[] {
  const path: number[] = [];
  const thread = at(steps.thread, leaf);
  for (let step = leaf; step !== NONE; step = at(steps.parent, step)) {
    if (thread !== 0 && at(steps.thread, step) !== thread) break;
    path.push(step);
  }
  return path.reverse();
}
