import { Flag } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { LIVE_MAIN, liveBit, memberAfter, membersOf, type Steps, stepAbove } from "./steps";

const NONE = -1;

/** A path through a thread from a root to a leaf, or to the line that the client went back to. */
export type Branch = {
  /** The step it ends in. */
  leaf: number;
  /** Its last record, by file order. */
  leafRecord: number;
  /** The first step that this branch does not share with the active one; -1 for the active branch. */
  ownFrom: number;
};

/**
 * The branches of every thread, the active one first, the others most recently written first.
 * The active leaf is the one written last: no version since 1.0 marks the abandoned branches of a rewind, except for
 * a rewind after which nothing was typed (`namedLeaf`).
 */
export function findBranches(table: SessionTable, steps: Steps, threads: number): Branch[][] {
  const found = findLeaves(table, steps, threads, continuedSteps(steps));
  goToNamedLeaf(table, steps, found[0] ?? []);
  for (const branches of found) markOwn(steps, branches);
  return found;
}

/** Step → 1 where its thread continues below it. */
export function continuedSteps(steps: Steps): Uint8Array {
  const hasChild = new Uint8Array(steps.count);
  for (let step = 0; step < steps.count; step++) {
    const up = at(steps.parent, step);
    if (up !== NONE && at(steps.live, step) && isContinuation(steps, step, up)) hasChild[up] = 1;
  }
  return hasChild;
}

/** False for an agent's own step below a step of another thread: it does not continue that thread. */
export function isContinuation(steps: Steps, step: number, up: number): boolean {
  if (at(steps.thread, up) === 0) return (at(steps.live, step) & LIVE_MAIN) !== 0;
  return at(steps.thread, up) === at(steps.thread, step);
}

/** The branches of every thread, those written last first; `ownFrom` is set later by `markOwn`. */
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

/** Moves the branch on which the client's named leaf is to the front, ending it at that leaf. */
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

/** The last record of a branch in the file of its thread: other files have an order of their own. */
function lastWritten(table: SessionTable, steps: Steps, branch: Branch): number {
  const thread = at(steps.thread, branch.leaf);
  if (thread !== 0) return branch.leafRecord;
  for (let step = branch.leaf; step !== NONE; step = at(steps.parent, step)) {
    const last = lastRecord(steps, step);
    if (table.records.file.at(last) === 0) return last;
  }
  return branch.leafRecord;
}

function lastRecord(steps: Steps, step: number): number {
  let last = NONE;
  for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record))
    last = Math.max(last, record);
  return last;
}

/** Sets where each branch but the first one leaves the first. */
export function markOwn(steps: Steps, branches: Branch[]): void {
  const [active] = branches;
  if (!active || branches.length === 1) return;
  const thread = at(steps.thread, active.leaf);
  const shared = new Set(pathSteps(steps, active.leaf));
  // Branches fork from branches: the result of one walk up is reused by the next.
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

/** The steps from the start of a branch down to this one. */
export function pathSteps(steps: Steps, leaf: number): number[] {
  const path: number[] = [];
  const thread = at(steps.thread, leaf);
  for (let step = leaf; step !== NONE; step = stepAbove(steps, thread, step)) path.push(step);
  return path.reverse();
}

/**
 * How a fork's own lines rank a branch: 1 where they call it active, −1 where they call it inactive, 0 where
 * they don't say, as in every version since 1.0. The line nearest to the leaf decides.
 */
function forkRank(table: SessionTable, steps: Steps, leaf: number): number {
  for (let step = leaf; step !== NONE; step = at(steps.parent, step)) {
    for (const record of membersOf(steps, step)) {
      const flags = table.records.flags.at(record);
      if (flags & Flag.activeFork) return 1;
      if (flags & Flag.inactiveFork) return -1;
    }
  }
  return 0;
}

/** True when any line of the session names the active branch of a fork. */
export function ranksForks({ records }: SessionTable): boolean {
  for (let record = 0; record < records.size; record++)
    if (records.flags.at(record) & (Flag.activeFork | Flag.inactiveFork)) return true;
  return false;
}

const MAIN_LOG = 0;

/** The client's position in the main thread. `exactly`: what is below it was abandoned. */
export type NamedLeaf = { step: number; exactly: boolean };

/**
 * The leaf named by the main log's last `last-prompt` (2.1.330), if nothing was written after it: a
 * rewind after which nothing was typed leaves no other trace. Most of these lines only repeat how far the
 * client was, some steps late; an `explicit` one means that exact line. With the all-zero uuid, which a rewind
 * writes once a prompt is in the new branch, it names none.
 */
export function namedLeaf(table: SessionTable, steps: Steps): NamedLeaf | null {
  const { records } = table;
  const lastPrompt = table.types.list.indexOf("last-prompt");
  if (lastPrompt === NONE) return null;
  for (let record = records.size - 1; record >= 0; record--) {
    if (records.file.at(record) !== MAIN_LOG) continue;
    const flags = records.flags.at(record);
    if (records.type.at(record) !== lastPrompt) {
      if (flags & Flag.node && !(flags & Flag.sidechain)) return null;
      continue;
    }
    const step = stepOf(table, steps, records.link.at(record), record);
    return step === NONE ? null : { step, exactly: (flags & Flag.explicitLeaf) !== 0 };
  }
  return null;
}

/** The step of the main thread that contains the last line with this uuid, -1 for none. */
function stepOf({ records }: SessionTable, steps: Steps, uuid: number, before: number): number {
  if (uuid === NONE) return NONE;
  for (let record = before - 1; record >= 0; record--) {
    if (records.uuid.at(record) !== uuid || records.file.at(record) !== MAIN_LOG) continue;
    const step = at(steps.of, record);
    return at(steps.thread, step) === 0 && at(steps.live, step) & LIVE_MAIN ? step : NONE;
  }
  return NONE;
}

/** The first of a thread's branches that passes through a step. Visits each step once, however many branches share it. */
export function firstThrough(steps: Steps, branches: readonly Branch[], wanted: number): Branch | null {
  const seen = new Uint8Array(steps.count);
  for (const branch of branches) {
    const thread = at(steps.thread, branch.leaf);
    for (let step = branch.leaf; step !== NONE && !seen[step]; step = stepAbove(steps, thread, step)) {
      if (step === wanted) return branch;
      seen[step] = 1;
    }
  }
  return null;
}
