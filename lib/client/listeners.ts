/** Those who are told that something outside of React's state has changed, as `useSyncExternalStore` asks for it. */
export class Listeners {
  readonly #all = new Set<() => void>();

  /** Has `listener` told from now on, until the returned function is called. */
  add = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  /** Calls each of them, in the order in which they came. */
  tell(): void {
    // What is drawn for it may bring others, or end some.
    for (const listener of [...this.#all]) listener();
  }
}
