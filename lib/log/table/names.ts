/** Few different strings (tool names, models, paths), each kept once and named by a number. */
export class Names {
  readonly list: string[];
  readonly #indexOf = new Map<string, number>();

  constructor(list: string[] = []) {
    this.list = list;
    for (const [index, name] of list.entries()) this.#indexOf.set(name, index);
  }

  intern(name: string): number {
    const known = this.#indexOf.get(name);
    if (known !== undefined) return known;
    const index = this.list.push(name) - 1;
    this.#indexOf.set(name, index);
    return index;
  }

  at(index: number): string | null {
    return this.list[index] ?? null;
  }
}
