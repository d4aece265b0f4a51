import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, withCapacity } from "@/lib/log/table/table";
import {
  type Branch,
  continuedSteps,
  findLeaves,
  firstThrough,
  goToNamedLeaf,
  isContinuation,
  markOwn,
  namedLeaf,
  ranksForks,
} from "./branches";
import type { StepDelta } from "./incremental-steps";
import type { SessionGraph } from "./session-graph";
import { LIVE_MAIN, type Steps } from "./steps";

const NONE = -1;

/** Maintains the branches while steps are added: what was written last is the end of the active one. */
export class IncrementalBranches {
  readonly #table: SessionTable;
  /** True where forks name the active branch themselves: such logs were written before 1.0 and don't grow. */
  readonly #ranked: boolean;
  /** Ordered by when they were written, regardless of the leaf that the client names. */
  #written: Branch[][];
  #shown: Branch[][];
  /** The order of the main thread's branches may depend on the leaf that the client names. */
  #namesLeaf = true;
  #continued: Uint8Array;
  readonly #changed = new Set<number>();
  readonly #forked = new Set<number>();

  constructor(table: SessionTable, { steps, branches }: SessionGraph) {
    this.#table = table;
    this.#ranked = ranksForks(table);
    this.#continued = continuedSteps(steps);
    const [main = []] = findLeaves(table, steps, branches.length, this.#continued);
    markOwn(steps, main);
    this.#written = [main, ...branches.slice(1).map((list) => [...list])];
    this.#shown = branches;
  }

  /** Applies new thread numbers, old → new, before the steps that follow are added. */
  renumber(moved: readonly number[], threads: number): void {
    const before = this.#written;
    this.#written = Array.from({ length: threads }, () => []);
    for (const [index, list] of before.entries()) this.#written[moved[index] as number] = list;
    for (let thread = 0; thread < threads; thread++) this.#changed.add(thread);
  }

  /** Makes room for steps up to this number: `add` may name no higher one. */
  reserve(steps: number): void {
    this.#continued = withCapacity(this.#continued, steps, 0);
  }

  /** Applies what a record did to the steps; false where the order of branches may depend on more. */
  add(steps: Steps, record: number, { step, promoted }: StepDelta): boolean {
    const { records } = this.#table;
    const thread = at(steps.thread, step);
    const isOwnFile = thread !== 0 || records.file.at(record) === 0;
    if (this.#ranked || records.flags.at(record) & (Flag.activeFork | Flag.inactiveFork)) return false;
    if (!isOwnFile && (this.#written[0] ?? []).length > 1) return false;
    // The main thread passes here to an end in another file: its last line above that counts.
    if (thread !== 0 && at(steps.live, step) & LIVE_MAIN && this.#mayMove()) return false;
    for (const one of promoted) if (!this.#begin(steps, one, record, isOwnFile)) return false;
    if (promoted.length > 0) return true;
    const list = this.#written[thread] ?? [];
    const index = at(this.#continued, step) ? NONE : list.findIndex(({ leaf }) => leaf === step);
    const branch = list[index];
    // A file with a higher number counts as written later.
    if (branch && records.file.at(record) < records.file.at(branch.leafRecord)) return false;
    if (branch) return this.#put(thread, index, { ...branch, leafRecord: record }, isOwnFile);
    // Where a branch ends in another file, its last line above that counts.
    return thread !== 0 || !this.#mayMove();
  }

  /** Branches of the main thread may swap by a line that is not at their end. */
  #mayMove(): boolean {
    const main = this.#written[0] ?? [];
    return main.length > 1 && this.#endsElsewhere(main);
  }

  /** The current branches, and the threads whose forks have changed. */
  finish(steps: Steps): { branches: Branch[][]; forked: ReadonlySet<number> } {
    const forked = new Set(this.#forked);
    const shown = [...this.#shown];
    shown.length = this.#written.length;
    for (const thread of this.#forked) {
      const list = (this.#written[thread] ?? []).map((branch) => ({ ...branch, ownFrom: NONE }));
      markOwn(steps, list);
      this.#written[thread] = list;
      this.#changed.add(thread);
    }
    if (this.#namesLeaf) this.#changed.add(0);
    for (const thread of this.#changed) shown[thread] = [...(this.#written[thread] ?? [])];
    const named = this.#nameLeaf(steps);
    if (named) shown[0] = named;
    if (named || this.#namesLeaf) forked.add(0);
    this.#namesLeaf = named !== null;
    this.#shown = shown;
    this.#changed.clear();
    this.#forked.clear();
    return { branches: shown, forked };
  }

  #begin(steps: Steps, step: number, record: number, isOwnFile: boolean): boolean {
    const thread = at(steps.thread, step);
    const up = at(steps.parent, step);
    const branch: Branch = { leaf: step, leafRecord: record, ownFrom: NONE };
    if (up === NONE || !isContinuation(steps, step, up) || at(this.#continued, up)) {
      if (up !== NONE && isContinuation(steps, step, up) && at(steps.thread, up) !== thread) return false;
      this.#forked.add(thread);
      return this.#put(thread, NONE, branch, isOwnFile);
    }
    this.#continued[up] = 1;
    if (at(steps.thread, up) !== thread) return false;
    const list = this.#written[thread] ?? [];
    const index = list.findIndex(({ leaf }) => leaf === up);
    if (index === NONE) return false;
    return this.#put(thread, index, { ...branch, ownFrom: list[index]?.ownFrom ?? NONE }, isOwnFile);
  }

  /** Moves a branch to its position by time of writing, which is now. `index`: that of the branch it continues. */
  #put(thread: number, index: number, branch: Branch, isOwnFile: boolean): boolean {
    const list = this.#written[thread] ?? [];
    this.#written[thread] = list;
    this.#changed.add(thread);
    if (index === 0 && thread === 0 && list.length > 1 && this.#endsElsewhere(list.slice(0, 1))) return false;
    if (index === 0 || (!isOwnFile && index !== NONE)) {
      list[index] = branch;
      return true;
    }
    if (!isOwnFile || (thread === 0 && this.#endsElsewhere(list))) return false;
    if (index !== NONE) list.splice(index, 1);
    list.unshift(branch);
    this.#forked.add(thread);
    return true;
  }

  /** An answer can be logged in an agent's file alone (2.1.29). */
  #endsElsewhere(list: readonly Branch[]): boolean {
    return list.some(({ leafRecord }) => this.#table.records.file.at(leafRecord) !== 0);
  }

  /** The main thread's branches where the client names another leaf than the one written last, else null. */
  #nameLeaf(steps: Steps): Branch[] | null {
    const written = this.#written[0] ?? [];
    const named = namedLeaf(this.#table, steps);
    const through = named && firstThrough(steps, written, named.step);
    if (!through || (through === written[0] && (!named.exactly || through.leaf === named.step))) return null;
    const list = written.map((branch) => ({ ...branch, ownFrom: NONE }));
    goToNamedLeaf(this.#table, steps, list);
    markOwn(steps, list);
    return list;
  }
}

/** Maintains the messages that were cut off and retried while lines are added: see `findRetriedMessages`. */
export class IncrementalRetries {
  readonly #table: SessionTable;
  /** Message → the hash of its first text. */
  #firstText = new Int32Array();

  constructor(table: SessionTable, { parents }: SessionGraph) {
    this.#table = table;
    const { kind, message, link } = table.records;
    for (let record = 0; record < parents.length; record++)
      if (kind.at(record) === RecordKind.assistant) this.#note(message.at(record), link.at(record));
  }

  /** Lines of messages that a record, now in its step, reveals to be retried. */
  add(record: number, steps: Steps, parents: Int32Array): number[] {
    const { records } = this.#table;
    if (records.kind.at(record) !== RecordKind.assistant) return [];
    const isFirst = this.#note(records.message.at(record), records.link.at(record));
    // Its first text is compared with the messages above its lines, and with those below them.
    const first = isFirst ? at(steps.first, at(steps.of, record)) : record;
    const found: number[] = [];
    for (let line = Math.min(first, record); line <= record; line++) {
      const up = at(parents, line);
      if (up !== NONE && this.#repeatsText(line, up)) found.push(up);
    }
    return found;
  }

  #repeatsText(line: number, up: number): boolean {
    const { records } = this.#table;
    if (records.kind.at(line) !== RecordKind.assistant || records.kind.at(up) !== RecordKind.assistant)
      return false;
    const [message, above] = [records.message.at(line), records.message.at(up)];
    const text = this.#firstText[message] ?? NONE;
    return message !== above && text !== NONE && text === this.#firstText[above];
  }

  #note(message: number, text: number): boolean {
    if (text === NONE || (this.#firstText[message] ?? NONE) !== NONE) return false;
    this.#firstText = withCapacity(this.#firstText, this.#table.messages.size, NONE);
    this.#firstText[message] = text;
    return true;
  }
}
