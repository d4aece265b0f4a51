/** A full disk or another viewer is not gone in a moment. */
const FIRST_MS = 30_000;
/** Each attempt may start a thread and read a log: it comes half as often as the one before. */
const MAX_WAIT_MS = 600_000;

/** Tries again to save what could not be saved, until it is. */
export class SaveLater {
  readonly #save: () => Promise<boolean>;
  readonly #firstMs: number;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #reported = "";

  /** @param save resolves to whether all is saved */
  constructor(save: () => Promise<boolean>, firstMs = FIRST_MS) {
    this.#save = save;
    this.#firstMs = firstMs;
  }

  /** There is something to save. */
  ask(): void {
    if (this.#timer === null) this.#wait(this.#firstMs);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#try(ms), ms);
    this.#timer.unref();
  }

  async #try(waitedMs: number): Promise<void> {
    // Whatever it fails with, the next attempt may not.
    const isSaved = await this.#save().catch((error: unknown) => this.#failed(error));
    this.#timer = null;
    if (!isSaved) this.#wait(Math.min(MAX_WAIT_MS, waitedMs * 2));
  }

  /** What cannot be saved for now resolves to false: a rejection is a bug, which the console shows once. */
  #failed(error: unknown): false {
    if (!this.#stopped && String(error) !== this.#reported) console.error("Saving again failed:", error);
    this.#reported = String(error);
    return false;
  }
}
