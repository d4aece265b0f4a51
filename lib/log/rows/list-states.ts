import type { RowList } from "./flatten";

const NONE = -1;

/** Readers look at every state or start anew: what was that long ago is not asked for. */
const MOST_STATES = 64;

/** The last states of a list of rows that grows, and how many of the first rows each shares with the one before. */
export class ListStates {
  readonly #states: { list: WeakRef<RowList>; stable: number }[] = [];

  add(list: RowList, stable: number): void {
    this.#states.push({ list: new WeakRef(list), stable });
    if (this.#states.length > MOST_STATES) this.#states.shift();
  }

  /** How many of the first rows are the same now as in a state of before; null for one that is not known any more. */
  stableSince(before: RowList): number | null {
    const from = this.#states.findIndex(({ list }) => list.deref() === before);
    if (from === NONE) return null;
    return this.#states.slice(from + 1).reduce((least, { stable }) => Math.min(least, stable), before.count);
  }
}
