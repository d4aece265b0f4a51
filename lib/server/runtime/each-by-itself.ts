/** Work on one of several that takes longer goes on beside that on the others. */
const MAX_WAIT_MS = 50;

/**
 * Does something with each of several, one after the other, but has none wait long for another: work that takes longer, as
 * where a disk does not give or a log is scanned, goes on beside the rest. What fails with one (a bug, a disk) is told.
 */
export class EachByItself<One> {
  readonly #task: (one: One) => Promise<void>;
  readonly #ended: () => void;
  /** Those whose work has taken longer, and has not ended. */
  readonly #late = new Set<One>();

  /** @param ended called when work has ended that was not waited for: until then its one was left out of every run */
  constructor(task: (one: One) => Promise<void>, ended: () => void = () => undefined) {
    this.#task = task;
    this.#ended = ended;
  }

  /** Resolves when the work on each has ended, or takes longer. One on which an earlier run still works is left out. */
  async run(ones: Iterable<One>): Promise<void> {
    for (const one of ones) if (!this.#late.has(one)) await this.#begin(one);
  }

  #begin(one: One): Promise<void> {
    return new Promise((goOn) => {
      const timer = setTimeout(() => {
        this.#late.add(one);
        goOn();
      }, MAX_WAIT_MS);
      void this.#work(one).then(() => {
        clearTimeout(timer);
        goOn();
        if (this.#late.delete(one)) this.#ended();
      });
    });
  }

  async #work(one: One): Promise<void> {
    try {
      await this.#task(one);
    } catch (error) {
      console.error(error);
    }
  }
}
