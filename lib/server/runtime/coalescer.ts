/** Waits for what others do anyway: that time is none of the task's work. */
export type OthersWork = <T>(work: Promise<T>) => Promise<T>;

/**
 * Runs a task at once when it is first requested, and then at most once every `everyMs`; requests in between become
 * one run at the end of the pause. Runs never overlap. `rest`: a pause lasts at least this many times as long as the
 * run before it, for work that must not take the machine from others.
 */
export class Coalescer {
  readonly #everyMs: number;
  readonly #task: (others: OthersWork) => Promise<void>;
  readonly #rest: number;
  #pauseMs: number;
  #timer: NodeJS.Timeout | null = null;
  #running = false;
  #again = false;
  #endedAtMs = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(everyMs: number, task: (others: OthersWork) => Promise<void>, rest = 0) {
    this.#everyMs = everyMs;
    this.#pauseMs = everyMs;
    this.#task = task;
    this.#rest = rest;
  }

  /** Asks for a run that begins after this; several before it begins are one. */
  request(): void {
    this.#again = true;
    if (this.#running || this.#timer || this.#stopped) return;
    const waitMs = this.#endedAtMs + this.#pauseMs - performance.now();
    if (waitMs <= 0) return void this.#run();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#run();
    }, waitMs);
  }

  /** Begins no other run. One that is under way goes on to its end. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#again = false;
    const startedAtMs = performance.now();
    let othersMs = 0;
    const others: OthersWork = async (work) => {
      const fromMs = performance.now();
      try {
        return await work;
      } finally {
        othersMs += performance.now() - fromMs;
      }
    };
    try {
      await this.#task(others);
    } catch (error) {
      // One failure (a bug) must not end live reading for good.
      console.error(error);
    }
    this.#running = false;
    this.#endedAtMs = performance.now();
    this.#pauseMs = Math.max(this.#everyMs, (this.#endedAtMs - startedAtMs - othersMs) * this.#rest);
    if (this.#again) this.request();
  }
}
