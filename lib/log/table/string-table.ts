/** A small set of distinct strings (tool names, models, paths), each stored once and identified by a number. */
export class StringTable {
  readonly list: string[];
  readonly #indexOf = new Map<string, number>();
  readonly #keyOf: (name: string) => string;

  /** @param keyOf equal for names that stand for the same: the first one counts */
  constructor(list: string[] = [], keyOf = (name: string) => name) {
    this.list = list;
    this.#keyOf = keyOf;
    for (const [index, name] of list.entries())
      if (!this.#indexOf.has(keyOf(name))) this.#indexOf.set(keyOf(name), index);
  }

  /** The number of a name, which is given one where it has none. */
  intern(name: string): number {
    const key = this.#keyOf(name);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    const index = this.list.push(name) - 1;
    this.#indexOf.set(key, index);
    return index;
  }

  /** The name with a number; null for a number that none has, such as the one that stands for none. */
  at(index: number): string | null {
    return this.list[index] ?? null;
  }
}
