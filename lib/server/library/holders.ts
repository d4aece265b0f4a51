/** How many sessions hold each number. */
export class Holders {
  #counts = new Uint32Array(256);

  of(number: number): number {
    return this.#counts[number] ?? 0;
  }

  /** @param numbers of one session, each once */
  add(numbers: Int32Array): void {
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] as number;
      if (number >= this.#counts.length) this.#grow(number);
      this.#counts[number] = this.of(number) + 1;
    }
  }

  remove(numbers: Int32Array): void {
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] as number;
      this.#counts[number] = this.of(number) - 1;
    }
  }

  #grow(number: number): void {
    const counts = new Uint32Array(Math.max(number + 1, this.#counts.length * 2));
    counts.set(this.#counts);
    this.#counts = counts;
  }
}
