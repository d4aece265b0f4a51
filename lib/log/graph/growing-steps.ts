import { grown } from "@/lib/log/table/grown";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { CONVERSATION, LIVE_AGENT, liveBit } from "./live-steps";
import { revive } from "./revive";
import type { SessionGraph } from "./session-graph";
import { StepBefore } from "./step-before";
import type { Steps } from "./steps";

const NONE = -1;
const NOTHING: ReadonlyMap<number, number> = new Map();

/**
 * What a record did to the steps: the one it is in now, behind which record (-1 for none), and those that came to
 * life, from the top down.
 */
export type GrownStep = { step: number; after: number; alive: readonly number[] };

/**
 * The steps of records that are added, one by one, as `buildSteps` makes them of all. What changes the place of a
 * step that is there already is not for here.
 */
export class GrowingSteps {
  readonly #table: SessionTable;
  readonly #before: StepBefore;
  #steps: Steps;
  #parents: Int32Array;
  /** Step → its last record in reading order. */
  #last: Int32Array;
  /** Thread → the line whose step takes in its stray ones. */
  #firstLive: number[] = [];
  /** Threads of which every line is a dead end: one is shown all the same. */
  #silent = new Set<number>();
  /** Records from which another thread's step hangs. */
  readonly #crossed = new Set<number>();

  constructor(table: SessionTable, graph: SessionGraph) {
    const { steps, parents, copies, threads } = graph;
    this.#table = table;
    this.#before = new StepBefore(table, graph);
    this.#steps = steps;
    this.#parents = parents;
    this.#last = new Int32Array(steps.count).fill(NONE);
    this.#firstLive = threads.map(() => NONE);
    const silent = new Set<number>();
    const { kind } = table.records.columns;
    for (let record = 0; record < steps.of.length; record++) {
      if (at(steps.next, record) === NONE) this.#last[at(steps.of, record)] = record;
      this.#noteStart(record);
      silent.add(at(steps.thread, at(steps.own, record)));
      const up = at(parents, record);
      if (up !== NONE && this.#threadOf(up) !== this.#threadOf(record)) this.#crossed.add(up);
    }
    for (let record = 0; record < steps.of.length && silent.size > 0; record++)
      if (CONVERSATION.has(at(kind, record)) && !copies.has(record)) silent.delete(this.#threadOf(record));
    this.#silent = silent;
  }

  get steps(): Steps {
    return this.#steps;
  }

  /** Threads have other numbers now. */
  renumber(moved: readonly number[], threads: number): void {
    // Whoever reads the state before finds its numbers.
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
    this.#last = grown(this.#last, most, NONE);
    this.#steps = {
      count,
      of: grown(steps.of, parents.length, NONE),
      own: grown(steps.own, parents.length, NONE),
      next: grown(steps.next, parents.length, NONE),
      parent: grown(steps.parent, most, NONE),
      first: grown(steps.first, most, NONE),
      thread: grown(steps.thread, most, 0),
      live: grown(steps.live, most, 0),
    };
  }

  /** Places the record that comes next; null where it changes more than itself and dead ends above it. */
  add(record: number, thread: number): GrownStep | null {
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
    const speaks = CONVERSATION.has(this.#kindOf(record));
    const begins = (this.#firstLive[thread] ?? NONE) === NONE;
    if (
      begins ? this.#hasLines(thread) : this.#fileOf(record) < this.#fileOf(this.#firstLive[thread] as number)
    )
      return null;
    if (!speaks && !begins) return this.#addDeadEnd(record, up, thread);
    if (begins && !speaks) this.#silent.add(thread);
    else if (this.#silent.has(thread)) return null;
    return this.#addLive(record, step, up, thread);
  }

  #addDeadEnd(record: number, up: number, thread: number): GrownStep | null {
    const { steps } = this;
    const strays = up === NONE || this.#threadOf(up) !== thread;
    const home = at(steps.of, strays ? (this.#firstLive[thread] as number) : up);
    return this.#join(home, record);
  }

  #addLive(record: number, step: number, up: number, thread: number): GrownStep | null {
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
    const moved = dead.length > 0 ? revive(steps, this.#parents, dead, this.#crossed) : NOTHING;
    if (!moved) return null;
    for (const [one, last] of moved) this.#last[one] = last;
    steps.parent[step] = up === NONE ? NONE : at(steps.of, up);
    this.#append(step, record);
    this.#noteStart(record);
    return { step, after: NONE, alive: [...dead.map((above) => at(steps.own, above)).reverse(), step] };
  }

  #join(step: number, record: number): GrownStep | null {
    const after = at(this.#last, step);
    return this.#append(step, record) ? { step, after, alive: [] } : null;
  }

  /** Puts a record last in a step; false where it belongs before those of another file. */
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
    return this.#table.records.get("file", record);
  }

  #kindOf(record: number): number {
    return this.#table.records.get("kind", record);
  }
}
