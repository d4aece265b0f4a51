/** A result block of a call that has an earlier one, which is `after`. */
export type FurtherResult = { call: number; after: number; block: number };

const NONE = -1;

/** The results of calls behind their first ones. Few calls have any: 2.1.110 (tui-extra) has the results of six calls twice in one log. */
export class FurtherResults {
  readonly list: FurtherResult[] = [];
  /** Result block → the next one of its call. */
  readonly #next = new Map<number, number>();
  /** Call → its last result block. */
  readonly #last = new Map<number, number>();

  constructor(list: readonly FurtherResult[] = []) {
    for (const { call, after, block } of list) this.#add(call, after, block);
  }

  /** The next result block of the same call, -1 for none. */
  after(block: number): number {
    return this.#next.get(block) ?? NONE;
  }

  /** Notes one more result of a call, whose first one is `first`. */
  add(call: number, first: number, block: number): void {
    this.#add(call, this.#last.get(call) ?? first, block);
  }

  #add(call: number, after: number, block: number): void {
    this.list.push({ call, after, block });
    this.#next.set(after, block);
    this.#last.set(call, block);
  }
}
