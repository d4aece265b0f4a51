import { cutCycles } from "./cut-cycles";
import { dropDeadEnds } from "./dead-ends";
import { markLive } from "./live-steps";
import { orderMembers } from "./order-members";
import type { SessionTable } from "./session-table";
import { draftSteps } from "./step-draft";
import { at } from "./table";
import type { Threads } from "./threads";

const NONE = -1;

/**
 * The records as a tree of steps. A step is what is one thing to a reader: a message with the
 * results of its calls, or a single other record, each with the dead ends that hang from it. From
 * 2.1.29 on the lines of a message with parallel calls are a graph with side arms; as steps they
 * are a tree in every version, and a step with two children is a real branch.
 */
export type Steps = {
  count: number;
  /** Record → step. */
  of: Int32Array;
  parent: Int32Array;
  thread: Uint16Array;
  /** 1 where the conversation of the main thread passes, 2 where its own agent's does. */
  live: Uint8Array;
  /** Records of step `s`: `members[memberStart[s] … memberStart[s + 1])`, in file order but for children written before their parents. */
  memberStart: Int32Array;
  members: Int32Array;
};

/** Groups the records of all threads into steps. Every record is in one, and every step on some branch. */
export function buildSteps(
  table: SessionTable,
  parents: Int32Array,
  threads: Threads,
  copies: ReadonlyMap<number, number>,
): Steps {
  const draft = draftSteps(table, parents, threads, copies);
  markLive(table, draft, copies);
  const home = dropDeadEnds(draft);
  const renumber = new Int32Array(draft.count).fill(NONE);
  let count = 0;
  for (let step = 0; step < draft.count; step++) if (at(home, step) === step) renumber[step] = count++;
  const steps: Steps = {
    count,
    of: new Int32Array(draft.of.length),
    parent: new Int32Array(count).fill(NONE),
    thread: new Uint16Array(count),
    live: new Uint8Array(count),
    memberStart: new Int32Array(count + 1),
    members: new Int32Array(draft.of.length),
  };
  for (let step = 0; step < draft.count; step++) {
    const index = at(renumber, step);
    if (index === NONE) continue;
    const up = at(draft.parent, step);
    steps.parent[index] = up === NONE ? NONE : at(renumber, at(home, up));
    steps.thread[index] = at(draft.thread, step);
    steps.live[index] = at(draft.live, step);
  }
  // A stray line put with the first step of its thread takes along what hangs from it: that may be the way up.
  cutCycles(steps.parent);
  for (let record = 0; record < draft.of.length; record++)
    steps.of[record] = at(renumber, at(home, at(draft.of, record)));
  listMembers(steps);
  orderMembers(steps, parents);
  return steps;
}

function listMembers({ count, of, memberStart, members }: Steps): void {
  for (let record = 0; record < of.length; record++)
    memberStart[at(of, record) + 1] = at(memberStart, at(of, record) + 1) + 1;
  for (let step = 0; step < count; step++)
    memberStart[step + 1] = at(memberStart, step + 1) + at(memberStart, step);
  const fill = memberStart.slice(0, count);
  for (let record = 0; record < of.length; record++) {
    const step = at(of, record);
    members[at(fill, step)] = record;
    fill[step] = at(fill, step) + 1;
  }
}
