import { heldBytes, returnSpareMemory, returnYoungMemory } from "./heap";

/**
 * So long after its last answer a thread rests: who reads on asks sooner, mostly. After less, V8 up to Node 20 takes it
 * to be allocating still, and keeps its young generation as large as it was.
 */
const REST_MS = 10_000;
/** V8 looks at the last five seconds for how much is made. */
const QUIET_MS = 6_000;
/** Less is not worth the moment for which the server's thread stands still. */
const MIN_GROWN_BYTES = 32 << 20;

/**
 * Gives the system back what answers have left behind, once nobody asks any more: V8 collects as it allocates, and so
 * a thread that rests would keep the garbage of its last hour for the next day.
 */
export class RestingMemory {
  readonly #isBusy: () => boolean;
  readonly #minGrownBytes: number;
  #timer: NodeJS.Timeout | null = null;
  /** What was held when it was last given back. */
  #leftBytes: number;

  /**
   * @param isBusy whether somebody is being answered
   * @param leastBytes what is held from the start on
   * @param minGrownBytes how much more must be held for it to be given back
   */
  constructor(isBusy: () => boolean, leastBytes: number, minGrownBytes = MIN_GROWN_BYTES) {
    this.#isBusy = isBusy;
    this.#minGrownBytes = minGrownBytes;
    this.#leftBytes = leastBytes;
  }

  /** Somebody was answered. */
  noteAnswer(): void {
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#rest(), REST_MS).unref();
  }

  /**
   * Gives back at once what has been added since that was done last: after work that nothing follows.
   * @param minGrownBytes how much that must be
   */
  giveBack(minGrownBytes = this.#minGrownBytes): void {
    if (!returnSpareMemory(this.#leftBytes + minGrownBytes)) return;
    this.#leftBytes = heldBytes();
    setTimeout(() => this.#settle(), QUIET_MS).unref();
  }

  #rest(): void {
    if (this.#isBusy()) this.noteAnswer();
    else this.giveBack();
  }

  #settle(): void {
    // What is left stays as it was counted: the room for what is made comes back with the next answers.
    if (!this.#isBusy()) returnYoungMemory();
  }
}
