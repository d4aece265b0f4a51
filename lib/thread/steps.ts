import { RecordKind } from "./kinds";
import type { SessionTable } from "./session-table";
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
  /** Records of step `s`: `members[memberStart[s] … memberStart[s + 1])`, in file order. */
  memberStart: Int32Array;
  members: Int32Array;
};

const LIVE_MAIN = 1;
const LIVE_AGENT = 2;

export function buildSteps(table: SessionTable, parents: Int32Array, threads: Threads): Steps {
  const draft = groupRecords(table);
  const draftParent = stepParents(draft.of, draft.count, parents);
  const thread = new Uint16Array(draft.count);
  for (let record = parents.length - 1; record >= 0; record--) thread[at(draft.of, record)] = at(threads.of, record);
  const live = markLive(table, draft, draftParent, thread);
  return withoutDeadEnds(draft, draftParent, thread, live);
}

function groupRecords(table: SessionTable): { of: Int32Array; count: number } {
  const { records, blocks, calls } = table;
  const of = new Int32Array(records.size).fill(NONE);
  const ofMessage = new Map<number, number>();
  let count = 0;
  const filesTimes = 65_536;
  for (let record = 0; record < records.size; record++) {
    const kind = records.get("kind", record);
    if (kind !== RecordKind.assistant && kind !== RecordKind.synthetic) continue;
    const key = records.get("message", record) * filesTimes + records.get("file", record);
    const known = ofMessage.get(key);
    of[record] = known ?? count;
    if (known === undefined) ofMessage.set(key, count++);
  }
  for (let record = 0; record < records.size; record++) {
    if (at(of, record) !== NONE) continue;
    of[record] = records.get("kind", record) === RecordKind.results ? resultStep(record) : NONE;
    if (at(of, record) === NONE) of[record] = count++;
  }
  return { of, count };

  /** The step of the call that this line answers, if it stands in the same file. */
  function resultStep(record: number): number {
    const call = blocks.get("call", records.get("firstBlock", record));
    const use = call === NONE ? NONE : calls.get("use", call);
    if (use === NONE) return NONE;
    const asking = blocks.get("record", use);
    return records.get("file", asking) === records.get("file", record) ? at(of, asking) : NONE;
  }
}

/** A step hangs where its first record with a parent outside hangs. */
function stepParents(of: Int32Array, count: number, parents: Int32Array): Int32Array {
  const parent = new Int32Array(count).fill(NONE);
  for (let record = 0; record < of.length; record++) {
    const step = at(of, record);
    const up = at(parents, record);
    if (up === NONE || at(parent, step) !== NONE) continue;
    const above = at(of, up);
    if (above !== step) parent[step] = above;
  }
  cutStepCycles(parent);
  return parent;
}

/** Grouping can close a loop that the records don't have (a message written around a prompt): cut it where it closes. */
function cutStepCycles(parent: Int32Array): void {
  const mark = new Int32Array(parent.length).fill(NONE);
  for (let start = 0; start < parent.length; start++) {
    let step = start;
    while (step !== NONE && mark[step] === NONE) {
      mark[step] = start;
      const up = at(parent, step);
      if (up !== NONE && mark[up] === start) {
        parent[step] = NONE;
        break;
      }
      step = up;
    }
  }
}

const CONVERSATION: ReadonlySet<number> = new Set([
  RecordKind.prompt,
  RecordKind.agentPrompt,
  RecordKind.results,
  RecordKind.meta,
  RecordKind.compactSummary,
  RecordKind.command,
  RecordKind.commandOutput,
  RecordKind.interruption,
  RecordKind.notification,
  RecordKind.assistant,
  RecordKind.synthetic,
]);

function markLive(table: SessionTable, draft: { of: Int32Array; count: number }, parent: Int32Array, thread: Uint16Array): Uint8Array {
  const live = new Uint8Array(draft.count);
  for (let record = 0; record < draft.of.length; record++) {
    if (!CONVERSATION.has(table.records.get("kind", record))) continue;
    const start = at(draft.of, record);
    const home = at(thread, start);
    // The main thread may pass through an agent's file: in 2.1.29 an answer can stand only there.
    const bit = home === 0 ? LIVE_MAIN : LIVE_AGENT;
    for (let step = start; step !== NONE && !(at(live, step) & bit); step = at(parent, step)) {
      if (bit === LIVE_AGENT && at(thread, step) !== home) break;
      live[step] = at(live, step) | bit;
    }
  }
  return live;
}

/** Moves the records of steps that lead nowhere into the step they hang from, and renumbers. */
function withoutDeadEnds(draft: { of: Int32Array; count: number }, parent: Int32Array, thread: Uint16Array, live: Uint8Array): Steps {
  const home = new Int32Array(draft.count).fill(NONE);
  const trail: number[] = [];
  for (let start = 0; start < draft.count; start++) {
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
  adoptStrays(home, parent, thread, live);
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
    const up = at(parent, step);
    steps.parent[index] = up === NONE ? NONE : at(renumber, at(home, up));
    steps.thread[index] = at(thread, step);
    steps.live[index] = at(live, step);
  }
  for (let record = 0; record < draft.of.length; record++) {
    const step = at(renumber, at(home, at(draft.of, record)));
    steps.of[record] = step;
    steps.memberStart[step + 1] = at(steps.memberStart, step + 1) + 1;
  }
  for (let step = 0; step < count; step++) steps.memberStart[step + 1] = at(steps.memberStart, step + 1) + at(steps.memberStart, step);
  const fill = steps.memberStart.slice(0, count);
  for (let record = 0; record < draft.of.length; record++) {
    const step = at(steps.of, record);
    steps.members[at(fill, step)] = record;
    fill[step] = at(fill, step) + 1;
  }
  return steps;
}

/** Lines before the first node of a thread (modes, snapshots) belong to its first live step. */
function adoptStrays(home: Int32Array, parent: Int32Array, thread: Uint16Array, live: Uint8Array): void {
  const firstLive = new Map<number, number>();
  for (let step = 0; step < home.length; step++) {
    const of = at(thread, step);
    if (at(live, step) && at(parent, step) === NONE && !firstLive.has(of)) firstLive.set(of, step);
  }
  for (let step = 0; step < home.length; step++) {
    if (at(live, step) || at(home, step) !== step) continue;
    const host = firstLive.get(at(thread, step));
    if (host !== undefined) home[step] = host;
  }
  for (let step = 0; step < home.length; step++) home[step] = at(home, at(home, step));
}
