import type { PreviousValues } from "@/lib/log/adding/previous-values";
import { type Forks, findForks } from "@/lib/log/graph/branch-points";
import type { GraphDelta } from "@/lib/log/graph/incremental-graph";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import { memberAfter, type Steps, stepAbove } from "@/lib/log/graph/steps";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";
import { TurnCounter } from "./turn-counter";

const NONE = -1;

/** The path of a branch, kept up to date while its session grows: what is unchanged is not read again. */
export class IncrementalPath {
  readonly #counter: TurnCounter;
  #path: Path;
  /** Record → its position on the path, -1 for none. */
  #positions: Int32Array;
  #forks: Forks;

  constructor(table: SessionTable, graph: SessionGraph, leaf: number) {
    this.#counter = new TurnCounter(table);
    this.#positions = new Int32Array(graph.parents.length).fill(NONE);
    const { turns } = this.#counter;
    const beginsAt: Path["beginsAt"] = (message, position) => this.#counter.beginsAt(message, position);
    this.#path = { records: new Int32Array(), turns, beginsAt };
    this.#setFrom(0, recordsDownTo(graph.steps, leaf));
    this.#counter.count(graph, this.#path.records, 0);
    this.#forks = findForks(graph, this.#path);
  }

  get path(): Path {
    return this.#path;
  }

  get forks(): Forks {
    return this.#forks;
  }

  /** The position of a record on the path, -1 for none. */
  positionOf(record: number): number {
    return this.#positions[record] ?? NONE;
  }

  /**
   * Updates the path to the current state of the branch that ends in `leaf`.
   * @returns the position from which its rows may have changed
   */
  grow({ graph, from, after, forked, agents }: GraphDelta, leaf: number, before: PreviousValues): number {
    const { records: old } = this.#path;
    const { steps } = graph;
    this.#positions = withCapacity(this.#positions, graph.parents.length, NONE);
    const changed = from.map((record) => this.positionOf(record)).filter((position) => position !== NONE);
    const behind = after.map((record) => this.positionOf(record) + 1).filter((position) => position > 0);
    const laid = Math.min(old.length, ...changed, ...behind);
    const isKept = (record: number) => this.positionOf(record) !== NONE && this.positionOf(record) < laid;
    const stretch = stretchTo(steps, leaf, isKept);
    let kept = stretch.anchor === NONE ? 0 : this.#endOf(steps, stretch.anchor, laid);
    const tail = [
      ...(stretch.anchor === NONE ? [] : this.#restOf(steps, stretch.anchor, kept)),
      ...stretch.records,
    ];
    let same = 0;
    while (kept < old.length && same < tail.length && at(old, kept) === tail[same]) {
      kept += 1;
      same += 1;
    }
    const rowsFrom = Math.min(kept, ...changed);
    if (rowsFrom < old.length) this.#counter.cut(old, rowsFrom, before);
    this.#setFrom(kept, tail.slice(same));
    this.#counter.correct(before, this.#path.records, rowsFrom, (record) => this.positionOf(record));
    this.#counter.count(graph, this.#path.records, rowsFrom);
    if (agents) this.#counter.countAgents(graph, (record) => this.positionOf(record));
    return Math.min(rowsFrom, this.#forkAgain(graph, forked, kept < old.length));
  }

  /** The first position at which a fork appeared or disappeared. The end is always listed again. */
  #forkAgain(graph: SessionGraph, forked: ReadonlySet<number>, isOther: boolean): number {
    const last = this.#path.records.at(-1);
    const thread = last === undefined ? NONE : at(graph.steps.thread, at(graph.steps.of, last));
    if (!isOther && !forked.has(thread)) return this.#path.records.length;
    const { before } = this.#forks;
    this.#forks = findForks(graph, this.#path);
    const { before: now } = this.#forks;
    const moved = [...before, ...now].filter((record) => !before.has(record) || !now.has(record));
    const positions = moved.map((record) => this.positionOf(record)).filter((position) => position !== NONE);
    return Math.min(this.#path.records.length, ...positions);
  }

  /** The end of the part of a step that is unchanged. */
  #endOf(steps: Steps, step: number, laid: number): number {
    let position = this.positionOf(at(steps.first, step));
    for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) {
      if (position >= laid || this.positionOf(record) !== position) break;
      position += 1;
    }
    return position;
  }

  #restOf(steps: Steps, step: number, kept: number): number[] {
    const rest: number[] = [];
    for (let record = at(steps.first, step); record !== NONE; record = memberAfter(steps, record)) {
      if (this.positionOf(record) === NONE || this.positionOf(record) >= kept) rest.push(record);
    }
    return rest;
  }

  /** Puts these records at `kept` and after. Readers of the previous path keep their array. */
  #setFrom(kept: number, added: readonly number[]): void {
    const { records: old } = this.#path;
    for (let position = kept; position < old.length; position++) this.#positions[at(old, position)] = NONE;
    const records = withCapacity(kept < old.length ? old.slice(0, kept) : old, kept + added.length, NONE);
    for (const [index, record] of added.entries()) {
      records[kept + index] = record;
      this.#positions[record] = kept + index;
    }
    this.#path = { ...this.#path, records };
  }
}

/** The records of a branch, from the root down to its leaf. */
export function recordsDownTo(steps: Steps, leaf: number): number[] {
  return stretchTo(steps, leaf, () => false).records;
}

/** The records of the steps down to a leaf, from below the nearest step that begins with an unchanged record. */
function stretchTo(
  steps: Steps,
  leaf: number,
  isKept: (record: number) => boolean,
): { anchor: number; records: number[] } {
  const thread = at(steps.thread, leaf);
  const below: number[] = [];
  let step = leaf;
  while (step !== NONE && !isKept(at(steps.first, step))) {
    below.push(step);
    step = stepAbove(steps, thread, step);
  }
  const records: number[] = [];
  for (const one of below.reverse())
    for (let record = at(steps.first, one); record !== NONE; record = memberAfter(steps, record))
      records.push(record);
  return { anchor: step, records };
}
