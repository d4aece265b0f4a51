import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { cutCycles } from "./cut-cycles";
import { dropDeadEnds } from "./dead-ends";
import { markLive } from "./live-steps";
import { orderMembers } from "./order-members";
import { draftSteps } from "./step-draft";
import type { Threads } from "./threads";

const NONE = -1;

/**
 * The records as a tree of steps. A step is what is one thing to a reader: a message with the
 * results of its calls, or a single other record, each with the dead ends that hang from it. From
 * 2.1.0 on the lines of a message with parallel calls are a graph with side arms; as steps they
 * are a tree in every version, and a step with two children is a real branch.
 */
export type Steps = {
  /** Numbers given out. A dead end keeps its own, without records, for the day on which something hangs from it. */
  count: number;
  /** Record → step. */
  of: Int32Array;
  /** Record → the step that it would be in if nothing were a dead end. */
  own: Int32Array;
  parent: Int32Array;
  thread: Uint16Array;
  /** 1 where the conversation of the main thread passes, 2 where its own agent's does. */
  live: Uint8Array;
  /** Step → its first record, -1 for none: read on with `membersOf`. */
  first: Int32Array;
  /** Record → the next one of its step, -1 for none: in file order but for children written before their parents. */
  next: Int32Array;
};

/** Groups the records of all threads into steps. Every record is in one, and every step with records on some branch. */
export function buildSteps(
  table: SessionTable,
  parents: Int32Array,
  threads: Threads,
  copies: ReadonlyMap<number, number>,
): Steps {
  const draft = draftSteps(table, parents, threads, copies);
  markLive(table, draft, copies);
  const home = dropDeadEnds(draft);
  const { count, of: own, thread, live } = draft;
  const steps: Steps = {
    count,
    of: new Int32Array(own.length),
    own,
    parent: new Int32Array(count).fill(NONE),
    thread,
    live,
    first: new Int32Array(count).fill(NONE),
    next: new Int32Array(own.length).fill(NONE),
  };
  for (let step = 0; step < count; step++) {
    const up = at(draft.parent, step);
    if (at(home, step) === step && up !== NONE) steps.parent[step] = at(home, up);
  }
  // A stray line put with the first step of its thread takes along what hangs from it: that may be the way up.
  cutCycles(steps.parent);
  for (let record = 0; record < own.length; record++) steps.of[record] = at(home, at(own, record));
  listMembers(steps);
  orderMembers(steps, parents);
  return steps;
}

function listMembers({ of, first, next }: Steps): void {
  for (let record = of.length - 1; record >= 0; record--) {
    const step = at(of, record);
    next[record] = at(first, step);
    first[step] = record;
  }
}

/** The records of a step in reading order: those that were there when these `steps` were made. */
export function* membersOf(steps: Steps, step: number): Generator<number> {
  for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) yield record;
}

/** The record behind this one in its step, -1 for none. */
export function memberAfter({ next }: Steps, record: number): number {
  // What is added later is linked in the same memory, and no part of this view of it.
  const after = at(next, record);
  return after < next.length ? after : NONE;
}
