import { RecordKind } from "@/lib/log/table/kinds";
import { MAX_FILES } from "@/lib/log/table/session-columns";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { cutCycles } from "./parents";
import type { Threads } from "./threads";

const NONE = -1;

/**
 * The records as a tree of steps. A step is one unit to a reader: a message with the results of its calls, or a
 * single other record, each with its side records (progress, attachments, bookkeeping). From 2.1.0 on the lines
 * of a message with parallel calls form a graph with side arms; as steps they are a tree in every version, and a
 * step with two children is a real branch point.
 */
export type Steps = {
  /** Number of steps. A side step keeps its number, without records, in case it gets children later. */
  count: number;
  /** Record → step. */
  of: Int32Array;
  /**
   * Record → the step that it would be in if there were no side steps. Null where these are the steps of `buildSteps`:
   * only a session that grows asks for them, and `ownSteps` finds them again.
   */
  own: Int32Array | null;
  parent: Int32Array;
  thread: Uint16Array;
  /** Bits: 1 where the conversation of the main thread passes, 2 where that of the step's own agent passes. */
  live: Uint8Array;
  /** Step → its first record, -1 for none; continue with `membersOf`. */
  first: Int32Array;
  /** Record → the next one of its step, -1 for none: in file order, except for children written before their parents. */
  next: Int32Array;
};

/** Groups the records of all threads into steps. Every record is in a step, and every step with records is on a branch. */
export function buildSteps(
  table: SessionTable,
  parents: Int32Array,
  threads: Threads,
  duplicates: ReadonlyMap<number, number>,
): Steps {
  const draft = draftSteps(table, parents, threads, duplicates);
  markLive(table, draft, duplicates);
  const home = attachSideSteps(draft);
  const { count, of: own, thread, live } = draft;
  const steps: Steps = {
    count,
    of: new Int32Array(own.length),
    own: null,
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
  for (let record = 0; record < own.length; record++) steps.of[record] = at(home, at(own, record));
  listMembers(steps);
  // A stray line that joins the first step of its thread takes its children along: one may lead back up to the step.
  cutCycles(steps.parent, steps.first);
  orderMembers(steps, parents);
  return steps;
}

/**
 * Record → the step of `buildSteps` that it would be in if there were no side steps. The table may have got further
 * records since.
 * @param records how many records it had then
 */
export function ownSteps(
  table: SessionTable,
  records: number,
  duplicates: ReadonlyMap<number, number>,
): Int32Array {
  return groupRecords(table, records, duplicates).of;
}

function listMembers({ of, first, next }: Steps): void {
  for (let record = of.length - 1; record >= 0; record--) {
    const step = at(of, record);
    next[record] = at(first, step);
    first[step] = record;
  }
}

/** The records of a step in reading order, as of when these `steps` were made. */
export function* membersOf(steps: Steps, step: number): Generator<number> {
  for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) yield record;
}

/** The record after this one in its step, -1 for none. */
export function memberAfter({ next }: Steps, record: number): number {
  // Records added later are linked in the same memory, but are not part of this state.
  const after = at(next, record);
  return after < next.length ? after : NONE;
}

/** The steps before side steps are attached to conversation steps. `live` is filled by `markLive`. */
export type StepDraft = {
  count: number;
  /** Record → step. */
  of: Int32Array;
  parent: Int32Array;
  thread: Uint16Array;
  live: Uint8Array;
};

/** Groups the records into steps, each with its parent and thread. */
function draftSteps(
  table: SessionTable,
  parents: Int32Array,
  threads: Threads,
  duplicates: ReadonlyMap<number, number>,
): StepDraft {
  const { of, count } = groupRecords(table, parents.length, duplicates);
  const thread = new Uint16Array(count);
  for (let record = parents.length - 1; record >= 0; record--)
    thread[at(of, record)] = at(threads.of, record);
  return { count, of, parent: stepParents(of, count, parents), thread, live: new Uint8Array(count) };
}

/**
 * Groups the lines of a message in one file with the results of its calls; all other records are groups of their own.
 * @param size how many of the first records
 */
function groupRecords(
  table: SessionTable,
  size: number,
  duplicates: ReadonlyMap<number, number>,
): { of: Int32Array; count: number } {
  const { records, blocks, calls } = table;
  const of = new Int32Array(size).fill(NONE);
  const ofMessage = new Map<number, number>();
  let count = 0;
  for (let record = 0; record < size; record++) {
    const kind = records.kind.at(record);
    if ((kind !== RecordKind.assistant && kind !== RecordKind.synthetic) || duplicates.has(record)) continue;
    const key = records.message.at(record) * MAX_FILES + records.file.at(record);
    const known = ofMessage.get(key);
    of[record] = known ?? count;
    if (known === undefined) ofMessage.set(key, count++);
  }
  for (let record = 0; record < size; record++) {
    if (at(of, record) !== NONE) continue;
    const answers = records.kind.at(record) === RecordKind.results && !duplicates.has(record);
    of[record] = answers ? resultStep(record) : NONE;
    if (at(of, record) === NONE) of[record] = count++;
  }
  return { of, count };

  /** The step of the call that this line answers, if it is in the same file. */
  function resultStep(record: number): number {
    const call = blocks.call.at(records.firstBlock.at(record));
    const use = call === NONE ? NONE : calls.use.at(call);
    if (use === NONE) return NONE;
    const asking = blocks.record.at(use);
    return asking < size && records.file.at(asking) === records.file.at(record) ? at(of, asking) : NONE;
  }
}

/** The parent of a step is that of its first record with a parent outside. Grouping can close a loop that the records don't have. */
function stepParents(of: Int32Array, count: number, parents: Int32Array): Int32Array {
  const parent = new Int32Array(count).fill(NONE);
  const first = new Int32Array(count).fill(NONE);
  for (let record = 0; record < of.length; record++) {
    const step = at(of, record);
    if (at(first, step) === NONE) first[step] = record;
    const up = at(parents, record);
    if (up === NONE || at(parent, step) !== NONE) continue;
    const above = at(of, up);
    if (above !== step) parent[step] = above;
  }
  // By lines: the numbers of steps depend on what else there is.
  cutCycles(parent, first);
  return parent;
}

/**
 * Puts the records of a step in reading order: file order, except that a record whose parent is in the step
 * comes after it. 2.1.110 (tui-todo) writes the last of five parallel calls first.
 */
function orderMembers(steps: Steps, parents: Int32Array): void {
  const { count, of, first } = steps;
  for (let step = 0; step < count; step++) {
    let ordered = true;
    for (let record = at(first, step); record !== NONE && ordered; record = memberAfter(steps, record)) {
      const up = at(parents, record);
      ordered = up === NONE || up < record || at(of, up) !== step;
    }
    if (!ordered)
      linkMembers(
        steps,
        step,
        parentsFirst([...membersOf(steps, step)], parents, (record) => at(of, record) === step),
      );
  }
}

/** Makes these the records of a step, in this order. */
export function linkMembers({ first, next }: Steps, step: number, records: readonly number[]): void {
  let after = NONE;
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i] as number;
    next[record] = after;
    after = record;
  }
  first[step] = after;
}

/** Orders parents before children. `resolveParents` guarantees that the walk up ends. */
function parentsFirst(
  list: readonly number[],
  parents: Int32Array,
  isHere: (record: number) => boolean,
): number[] {
  const placed = new Set<number>();
  const order: number[] = [];
  const waiting: number[] = [];
  for (const start of list) {
    for (
      let record = start;
      record !== NONE && isHere(record) && !placed.has(record);
      record = at(parents, record)
    ) {
      placed.add(record);
      waiting.push(record);
    }
    while (waiting.length > 0) order.push(waiting.pop() as number);
  }
  return order;
}

/**
 * Step → the step that its records are shown with: itself if the conversation passes through it, else its
 * nearest ancestor that is a conversation step; lines before the first node of a thread (modes, snapshots) go to
 * the thread's first conversation step.
 */
function attachSideSteps({ count, of, parent, thread, live }: StepDraft): Int32Array {
  const home = new Int32Array(count).fill(NONE);
  const isLive = (step: number) => (at(live, step) & liveBit(at(thread, step))) !== 0;
  const trail: number[] = [];
  for (let start = 0; start < count; start++) {
    let step = start;
    trail.length = 0;
    while (at(home, step) === NONE) {
      const up = at(parent, step);
      if (at(live, step) || up === NONE || at(thread, up) !== at(thread, step)) {
        home[step] = step;
        break;
      }
      trail.push(step);
      step = up;
    }
    for (const passed of trail) home[passed] = at(home, step);
  }
  const firstLive = new Map<number, number>();
  for (let record = 0; record < of.length; record++) {
    const step = at(of, record);
    const up = at(parent, step);
    const starts = up === NONE || at(thread, up) !== at(thread, step);
    if (isLive(step) && starts && !firstLive.has(at(thread, step))) firstLive.set(at(thread, step), step);
  }
  for (let step = 0; step < count; step++) {
    if (at(home, step) === step && !at(live, step)) home[step] = firstLive.get(at(thread, step)) ?? step;
  }
  for (let step = 0; step < count; step++) home[step] = at(home, at(home, step));
  return home;
}

export const LIVE_MAIN = 1;
export const LIVE_AGENT = 2;

/**
 * What records of each kind are in the conversation: an input, which the next request to the model answers, an answer, or
 * no part of it. Said of every kind, so that the compiler asks for it of a new one.
 */
const PARTS: Readonly<Record<keyof typeof RecordKind, "input" | "answer" | null>> = {
  unreadable: null,
  unknown: null,
  metadata: null,
  prompt: "input",
  results: "input",
  meta: "input",
  compactSummary: "input",
  command: "input",
  commandOutput: "input",
  interruption: "input",
  notification: "input",
  agentPrompt: "input",
  assistant: "answer",
  synthetic: "answer",
  compactBoundary: null,
  system: null,
  progress: null,
  attachment: null,
};

const partsOf = (is: (part: "input" | "answer" | null) => boolean): ReadonlySet<number> =>
  new Set(
    Object.entries(RecordKind).flatMap(([name, kind]) =>
      is(PARTS[name as keyof typeof RecordKind]) ? [kind] : [],
    ),
  );

/** Kinds of records that the next request to the model answers. */
export const INPUTS = partsOf((part) => part === "input");

/** Kinds of records that are part of the conversation. */
export const CONVERSATION = partsOf((part) => part !== null);

/**
 * Marks the conversation steps: those with conversation records, and all above them. The others are side steps:
 * progress, attachments, bookkeeping. In a thread without conversation records the first step is marked, so that
 * the thread can be read all the same.
 */
function markLive(table: SessionTable, draft: StepDraft, duplicates: ReadonlyMap<number, number>): void {
  const { of, thread, live } = draft;
  const hasLive = new Set<number>();
  for (let record = 0; record < of.length; record++) {
    if (!CONVERSATION.has(table.records.kind.at(record)) || duplicates.has(record)) continue;
    markUp(draft, at(of, record));
    hasLive.add(at(thread, at(of, record)));
  }
  for (let step = 0; step < draft.count; step++) {
    if (hasLive.has(at(thread, step)) || at(live, step) & liveBit(at(thread, step))) continue;
    hasLive.add(at(thread, step));
    markUp(draft, step);
  }
}

function markUp({ parent, thread, live }: StepDraft, start: number): void {
  const home = at(thread, start);
  // The main thread may pass through an agent's file: in 2.1.29 an answer can be logged only there.
  const bit = liveBit(home);
  for (let step = start; step !== NONE && !(at(live, step) & bit); step = at(parent, step)) {
    if (bit === LIVE_AGENT && at(thread, step) !== home) return;
    live[step] = at(live, step) | bit;
  }
}

/** The `live` bit of a thread's branches: one for the main thread, one shared by all agents. */
export function liveBit(thread: number): number {
  return thread === 0 ? LIVE_MAIN : LIVE_AGENT;
}

/**
 * The step above this one on a thread's branch, -1 at its start: the main thread may pass through an agent's file,
 * an agent's branch stays in its thread.
 */
export function stepAbove({ parent, thread }: Steps, of: number, step: number): number {
  const up = at(parent, step);
  return up !== NONE && (of === 0 || at(thread, up) === of) ? up : NONE;
}
