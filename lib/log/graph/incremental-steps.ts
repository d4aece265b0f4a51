import { addTo } from "@/lib/format/lists";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { MAX_FILES } from "@/lib/log/table/session-columns";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";
import type { SessionGraph } from "./session-graph";
import { CONVERSATION, LIVE_AGENT, linkMembers, liveBit, membersOf, ownSteps, type Steps } from "./steps";

const NONE = -1;
const NOTHING: ReadonlyMap<number, number> = new Map();

/**
 * What adding a record did to the steps: its step, the record it now follows there (-1 for none), and the steps that
 * became part of the conversation, from the top down.
 */
export type StepDelta = { step: number; after: number; promoted: readonly number[] };

/** Steps with what only their growth asks for. */
type GrowingSteps = Steps & { own: Int32Array };

/**
 * Maintains the steps while records are added one by one, with the same result as `buildSteps` over all of them.
 * A record that moves an existing step is refused: then the steps must be rebuilt.
 */
export class IncrementalSteps {
  readonly #table: SessionTable;
  readonly #before: StepBefore;
  #steps: GrowingSteps;
  #parents: Int32Array;
  /** Step → its last record in reading order. */
  #last: Int32Array;
  /** Thread → the first conversation line, whose step takes in stray records of the thread. */
  #firstLive: number[] = [];
  /** Threads without a conversation step: their first step is shown all the same. */
  #silent = new Set<number>();
  /** Records that are the parent of another thread's step. */
  readonly #crossed = new Set<number>();

  constructor(table: SessionTable, graph: SessionGraph) {
    const { parents, duplicates, threads } = graph;
    const own = graph.steps.own ?? ownSteps(table, graph.steps.of.length, duplicates);
    const steps = { ...graph.steps, own };
    this.#table = table;
    this.#before = new StepBefore(table, own, duplicates);
    this.#steps = steps;
    this.#parents = parents;
    this.#last = new Int32Array(steps.count).fill(NONE);
    this.#firstLive = threads.map(() => NONE);
    const silent = new Set<number>();
    for (let record = 0; record < steps.of.length; record++) {
      if (at(steps.next, record) === NONE) this.#last[at(steps.of, record)] = record;
      this.#noteStart(record);
      silent.add(at(steps.thread, at(steps.own, record)));
      const up = at(parents, record);
      if (up !== NONE && this.#threadOf(up) !== this.#threadOf(record)) this.#crossed.add(up);
    }
    for (let record = 0; record < steps.of.length && silent.size > 0; record++)
      if (CONVERSATION.has(table.records.kind.at(record)) && !duplicates.has(record))
        silent.delete(this.#threadOf(record));
    this.#silent = silent;
  }

  get steps(): GrowingSteps {
    return this.#steps;
  }

  /** Applies new thread numbers. */
  renumber(moved: readonly number[], threads: number): void {
    // A copy, so that readers of the previous state keep its numbers.
    const thread = this.#steps.thread.map((index) => moved[index] ?? index);
    this.#steps = { ...this.#steps, thread };
    const before = this.#firstLive;
    this.#firstLive = Array.from({ length: threads }, () => NONE);
    for (const [index, record] of before.entries()) this.#firstLive[moved[index] as number] = record;
    this.#silent = new Set([...this.#silent].map((index) => moved[index] as number));
  }

  /** Makes room for the records of `parents`, each of which may be a step. */
  reserve(parents: Int32Array): void {
    const { count, ...steps } = this.#steps;
    const most = count + parents.length - this.#parents.length;
    this.#parents = parents;
    this.#last = withCapacity(this.#last, most, NONE);
    this.#steps = {
      count,
      of: withCapacity(steps.of, parents.length, NONE),
      own: withCapacity(steps.own, parents.length, NONE),
      next: withCapacity(steps.next, parents.length, NONE),
      parent: withCapacity(steps.parent, most, NONE),
      first: withCapacity(steps.first, most, NONE),
      thread: withCapacity(steps.thread, most, 0),
      live: withCapacity(steps.live, most, 0),
    };
  }

  /** Adds the next record; null where that would change more than the record itself and the side steps above it. */
  add(record: number, thread: number): StepDelta | null {
    const { steps } = this;
    const known = this.#before.find(record, steps.own);
    if (known === null) return null;
    const up = at(this.#parents, record);
    if (known !== NONE) {
      const hangs = up === NONE || at(steps.own, up) === known || at(steps.parent, known) !== NONE;
      if (!hangs || at(steps.thread, known) !== thread || !(at(steps.live, known) & liveBit(thread)))
        return null;
      steps.own[record] = known;
      return this.#join(known, record);
    }
    const step = steps.count++;
    steps.own[record] = step;
    steps.thread[step] = thread;
    this.#before.note(record, step);
    if (up !== NONE && this.#threadOf(up) !== thread) this.#crossed.add(up);
    const isConversation = CONVERSATION.has(this.#kindOf(record));
    const begins = (this.#firstLive[thread] ?? NONE) === NONE;
    if (
      begins ? this.#hasLines(thread) : this.#fileOf(record) < this.#fileOf(this.#firstLive[thread] as number)
    )
      return null;
    if (!isConversation && !begins) return this.#addSideRecord(record, up, thread);
    if (begins && !isConversation) this.#silent.add(thread);
    else if (this.#silent.has(thread)) return null;
    return this.#addLive(record, step, up, thread);
  }

  #addSideRecord(record: number, up: number, thread: number): StepDelta | null {
    const { steps } = this;
    const strays = up === NONE || this.#threadOf(up) !== thread;
    const home = at(steps.of, strays ? (this.#firstLive[thread] as number) : up);
    return this.#join(home, record);
  }

  #addLive(record: number, step: number, up: number, thread: number): StepDelta | null {
    const { steps } = this;
    const bit = liveBit(thread);
    const dead: number[] = [];
    for (let above = up; above !== NONE; above = at(this.#parents, above)) {
      const own = at(steps.own, above);
      if (at(steps.live, own) & bit) break;
      if (at(steps.thread, own) !== thread) {
        if (bit === LIVE_AGENT) break;
        return null;
      }
      if (at(steps.live, own) !== 0) return null;
      dead.push(above);
    }
    steps.live[step] = bit;
    const moved = dead.length > 0 ? promoteSideSteps(steps, this.#parents, dead, this.#crossed) : NOTHING;
    if (!moved) return null;
    for (const [one, last] of moved) this.#last[one] = last;
    steps.parent[step] = up === NONE ? NONE : at(steps.of, up);
    this.#append(step, record);
    this.#noteStart(record);
    return { step, after: NONE, promoted: [...dead.map((above) => at(steps.own, above)).reverse(), step] };
  }

  #join(step: number, record: number): StepDelta | null {
    const after = at(this.#last, step);
    return this.#append(step, record) ? { step, after, promoted: [] } : null;
  }

  /** Appends a record to a step; false where it belongs before records of another file. */
  #append(step: number, record: number): boolean {
    const { of, first, next } = this.steps;
    const last = at(this.#last, step);
    if (last !== NONE && this.#fileOf(last) > this.#fileOf(record)) return false;
    if (last === NONE) first[step] = record;
    else next[last] = record;
    this.#last[step] = record;
    of[record] = step;
    return true;
  }

  #noteStart(record: number): void {
    const { steps } = this;
    const step = at(steps.own, record);
    const thread = at(steps.thread, step);
    if ((this.#firstLive[thread] ?? NONE) !== NONE || !(at(steps.live, step) & liveBit(thread))) return;
    const up = at(steps.parent, step);
    if (up === NONE || at(steps.thread, up) !== thread) this.#firstLive[thread] = record;
  }

  #hasLines(thread: number): boolean {
    const { steps } = this;
    for (let step = 0; step < steps.count - 1; step++) if (at(steps.thread, step) === thread) return true;
    return false;
  }

  #threadOf(record: number): number {
    return at(this.#steps.thread, at(this.#steps.own, record));
  }

  #fileOf(record: number): number {
    return this.#table.records.file.at(record);
  }

  #kindOf(record: number): number {
    return this.#table.records.kind.at(record);
  }
}

/**
 * Promotes side steps that now have children to conversation steps; their own side steps move with them.
 * @param dead the steps to promote, the lowest first
 * @param crossed records that are the parent of another thread's step: they stay where they are
 * @returns the last record of every step whose records changed; null where more would have to move
 */
function promoteSideSteps(
  steps: GrowingSteps,
  parents: Int32Array,
  dead: readonly number[],
  crossed: ReadonlySet<number>,
): Map<number, number> | null {
  const threadOf = (record: number) => at(steps.thread, at(steps.own, record));
  const top = dead.at(-1) as number;
  const home = at(steps.of, top);
  const stem = at(parents, top);
  // A promoted root may be the one that takes in the stray records of its thread.
  if (stem === NONE || threadOf(stem) !== threadOf(top)) return null;
  if (dead.some((record) => at(steps.of, record) !== home)) return null;
  for (const record of dead) steps.live[at(steps.own, record)] = liveBit(threadOf(top));
  const shared = new Map<number, number[]>([[home, []]]);
  for (const member of [...membersOf(steps, home)]) {
    const step = homeOf(steps, parents, member, home);
    if (step !== home && crossed.has(member)) return null;
    steps.of[member] = step;
    addTo(shared, step, member);
  }
  for (const [step, members] of shared) linkMembers(steps, step, members);
  for (const record of dead) steps.parent[at(steps.own, record)] = at(steps.of, at(parents, record));
  return new Map([...shared].map(([step, members]) => [step, members.at(-1) ?? NONE]));
}

/** The step where a member of `home` belongs after the promotion. Members above it are placed already. */
function homeOf(steps: GrowingSteps, parents: Int32Array, member: number, home: number): number {
  const own = at(steps.own, member);
  if (at(steps.live, own) !== 0) return own;
  const up = at(parents, member);
  const stays = up === NONE || at(steps.thread, at(steps.own, up)) !== at(steps.thread, own);
  return stays ? home : at(steps.of, up);
}

/** Finds the step that a record joins: that of its message, or of the call it answers. */
export class StepBefore {
  readonly #table: SessionTable;
  readonly #duplicates: ReadonlyMap<number, number>;
  /** Message → its step in the first file that contains it, and that file. */
  #ofMessage = new Int32Array();
  #fileOfMessage = new Uint16Array();
  /** Message and file → step, for a message that occurs in further files. */
  readonly #elsewhere = new Map<number, number>();

  /** @param own record → step, of the records before */
  constructor(table: SessionTable, own: Int32Array, duplicates: ReadonlyMap<number, number>) {
    this.#table = table;
    this.#duplicates = duplicates;
    for (let record = 0; record < own.length; record++)
      if (!duplicates.has(record)) this.note(record, at(own, record));
  }

  /** Notes the step of a record that starts a step of its own or belongs to its message's. */
  note(record: number, step: number): void {
    if (!this.#isMessage(record)) return;
    const { records, messages } = this.#table;
    const message = records.message.at(record);
    const file = records.file.at(record);
    this.#ofMessage = withCapacity(this.#ofMessage, messages.size, NONE);
    this.#fileOfMessage = withCapacity(this.#fileOfMessage, messages.size, 0);
    const isFirst = at(this.#ofMessage, message) === NONE;
    if (isFirst) this.#fileOfMessage[message] = file;
    if (isFirst || at(this.#fileOfMessage, message) === file) this.#ofMessage[message] = step;
    else this.#elsewhere.set(message * MAX_FILES + file, step);
  }

  /** -1 for a record that starts a step of its own; null for one that moves other records. @param own record → step */
  find(record: number, own: Int32Array): number | null {
    if (this.#isMessage(record)) return this.#isAnswered(record) ? null : this.#stepOf(record);
    const { records, blocks, calls } = this.#table;
    if (records.kind.at(record) !== RecordKind.results) return NONE;
    const call = blocks.call.at(records.firstBlock.at(record));
    const use = call === NONE ? NONE : calls.use.at(call);
    if (use === NONE) return NONE;
    const asking = blocks.record.at(use);
    if (records.file.at(asking) !== records.file.at(record) || this.#duplicates.has(asking)) return NONE;
    return asking < record ? at(own, asking) : null;
  }

  /** True for a line whose call already has a result, which was a step of its own until now. */
  #isAnswered(record: number): boolean {
    const { blocks, calls } = this.#table;
    for (const block of blocksOf(this.#table, record)) {
      if (blocks.kind.at(block) !== BlockKind.call) continue;
      const call = blocks.call.at(block);
      const result = calls.use.at(call) === block ? calls.result.at(call) : NONE;
      if (result !== NONE && blocks.record.at(result) < record) return true;
    }
    return false;
  }

  #isMessage(record: number): boolean {
    const kind = this.#table.records.kind.at(record);
    return kind === RecordKind.assistant || kind === RecordKind.synthetic;
  }

  #stepOf(record: number): number {
    const { records } = this.#table;
    const message = records.message.at(record);
    const file = records.file.at(record);
    if (this.#fileOfMessage[message] === file) return this.#ofMessage[message] ?? NONE;
    return this.#elsewhere.get(message * MAX_FILES + file) ?? NONE;
  }
}
