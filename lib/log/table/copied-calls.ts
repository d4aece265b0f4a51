import { MAX_FILES } from "./session-columns";

/**
 * A call whose id another file has, too: a forked or resumed agent's log repeats lines of the log that it goes on from.
 * `id`: in `toolIds`. The call of the first of these files is `SessionTable.callOf` this id.
 */
export type CopiedCall = { id: number; file: number; call: number };

function copyKey(id: number, file: number): number {
  return id * MAX_FILES + file;
}

/** The copies of calls in a session's files. */
export class CopiedCalls {
  readonly list: CopiedCall[] = [];
  /** By id and file. */
  readonly #callOf = new Map<number, number>();
  readonly #calls = new Set<number>();

  constructor(list: readonly CopiedCall[] = []) {
    for (const copy of list) this.add(copy);
  }

  /** A copy of the call with an id in a file; undefined where that file has the call itself, or none. */
  in(file: number, id: number): number | undefined {
    return this.list.length > 0 ? this.#callOf.get(copyKey(id, file)) : undefined;
  }

  /** Whether a call is a copy. */
  has(call: number): boolean {
    return this.#calls.has(call);
  }

  /** The copies of the call with an id, in the order in which they were noted. */
  with(id: number): number[] {
    return this.list.filter((copy) => copy.id === id).map(({ call }) => call);
  }

  /** Notes a copy. */
  add(copy: CopiedCall): void {
    this.list.push(copy);
    this.#callOf.set(copyKey(copy.id, copy.file), copy.call);
    this.#calls.add(copy.call);
  }
}
