import { heldBytes, returnSpareMemory } from "./heap";

/** So long after its last answer a server rests: who reads on asks sooner, mostly. */
const REST_MS = 10_000;
/** Less is not worth the moment for which the thread stands still. */
const MIN_GROWN_BYTES = 32 << 20;

/**
 * Gives the system back what answers have left behind, once nobody asks any more: V8 collects as it allocates, and so
 * a server that rests would keep the garbage of its last hour for the next day.
 */
export class RestingMemory {
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | null = null;
  /** What was held when it was last given back. */
  #leftBytes: number;

  /**
   * @param isBusy whether somebody is being answered
   * @param leastBytes what is held from the start on
   */
  constructor(isBusy: () => boolean, leastBytes: number) {
    this.#isBusy = isBusy;
    this.#leftBytes = leastBytes;
  }

  /** Somebody was answered. */
  noteAnswer(): void {
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#rest(), REST_MS).unref();
  }

  #rest(): void {
    if (this.#isBusy()) this.noteAnswer();
    else if (returnSpareMemory(this.#leftBytes + MIN_GROWN_BYTES)) this.#leftBytes = heldBytes();
  }
}
