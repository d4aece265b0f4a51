import { formatPlural } from "@/lib/format/format";
import type { QueryProblem } from "@/lib/wire/search";

/** How long expressions may be looked for, in milliseconds. */
export type RegexLimits = {
  /** In one text. */
  textMs: number;
  /** In all texts together in which looking was given up; in each one behind that `leastMs`. */
  givenUpMs: number;
  leastMs: number;
  /** In all texts together that take more than usual expressions do; nothing is looked for behind that. */
  allMs: number;
};

/** A search has a thread of its own, and whoever asked for it can end it. A text of 10 MB takes a usual expression 1 s. */
export const SEARCH_LIMITS: RegexLimits = {
  textMs: 1_000,
  givenUpMs: 5_000,
  leastMs: 50,
  allMs: Number.POSITIVE_INFINITY,
};

/** The server answers nothing else meanwhile. */
export const SERVER_LIMITS: RegexLimits = { textMs: 50, givenUpMs: 100, leastMs: 1, allMs: 200 };

/** Whoever asked for a search wants no answer any more. */
class SearchStoppedError extends Error {
  override readonly name = "SearchStoppedError";
}

/** Whether a search was ended from outside while it was looking through a text. */
export function isSearchStopped(error: unknown): boolean {
  return error instanceof SearchStoppedError;
}

class TookTooLong extends Error {}

const TOO_LONG = Symbol("took too long");

/** Reads of a text between two looks at the clock: of the largest expressions a millisecond. */
const READS_A_CHECK = 64;
/**
 * The most that a read takes for each step of an expression: 5 to 20 ns are usual. What takes longer by the clock was
 * waiting for the processor, for which no text is given up.
 */
const MAX_STEP_MS = 0.000_05;
/** What a usual expression takes in a title or a prompt, of which a library has tens of thousands. It does not count. */
const USUAL_MS = 0.1;
/** Characters times steps of an expression that take less than a millisecond: the text is not watched. */
const UNWATCHED_WORK = 20_000;

/**
 * Ends the search for expressions in texts that takes too long. RE2 is linear in a text, but each character may cost as
 * many steps as the compiled expression has: 100 times `[\s\S]*` take 5 s a megabyte.
 */
export class RegexWatch {
  readonly #limits: RegexLimits;
  readonly #isStopped: () => boolean;
  #givenUpMs = 0;
  #allMs = 0;
  #lastGivenUp: string | null = null;
  #unsearched = 0;

  /** @param isStopped whether nobody waits for the search any more; looking then throws what `isSearchStopped` knows */
  constructor(limits: RegexLimits, isStopped: () => boolean = () => false) {
    this.#limits = limits;
    this.#isStopped = isStopped;
  }

  /** The texts in which looking was given up. */
  get unsearched(): number {
    return this.#unsearched;
  }

  /**
   * What `find` finds in a text; null where it took too long.
   * @param size steps of the expression when compiled
   * @param find is given the text, or what reads like it
   */
  look<Found>(text: string, size: number, find: (text: string) => Found): Found | null {
    const found = this.#tried(text, size, find);
    if (found !== TOO_LONG) return found;
    // Each of a query's expressions may look through it.
    if (this.#lastGivenUp !== text) this.#unsearched += 1;
    this.#lastGivenUp = text;
    return null;
  }

  /** The same for a text that was found: that not everything in it was does not count. */
  lookFurther(text: string, size: number, find: (text: string) => void): void {
    this.#tried(text, size, find);
  }

  #tried<Found>(text: string, size: number, find: (text: string) => Found): Found | typeof TOO_LONG {
    const { textMs, givenUpMs, leastMs, allMs } = this.#limits;
    if (this.#isStopped()) throw new SearchStoppedError("The search was stopped");
    const beganMs = performance.now();
    const ownMs = Math.max(leastMs, Math.min(textMs, givenUpMs - this.#givenUpMs));
    const forMs = Math.min(ownMs, allMs - this.#allMs);
    if (forMs <= 0) return TOO_LONG;
    const isShort = text.length * size < UNWATCHED_WORK;
    let reads = isShort ? text.length : 0;
    const tookMs = () => Math.min(performance.now() - beganMs, reads * size * MAX_STEP_MS);
    const onReads = (count: number) => {
      if (this.#isStopped()) throw new SearchStoppedError("The search was stopped");
      reads += count;
      if (tookMs() > forMs) throw new TookTooLong();
    };
    try {
      return find(isShort ? text : watched(text, onReads));
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      this.#givenUpMs += tookMs();
      return TOO_LONG;
    } finally {
      this.#allMs += Math.max(0, tookMs() - USUAL_MS);
    }
  }
}

/** A text of which RE2JS reads each character by `charCodeAt`, and looks for a required word by `indexOf`. */
class WatchedText extends String {
  readonly #text: string;
  readonly #onReads: (count: number) => void;
  #left = READS_A_CHECK;

  constructor(text: string, onReads: (count: number) => void) {
    super(text);
    this.#text = text;
    this.#onReads = onReads;
  }

  override charCodeAt(index: number): number {
    this.#left -= 1;
    if (this.#left <= 0) {
      this.#left = READS_A_CHECK;
      this.#onReads(READS_A_CHECK);
    }
    return this.#text.charCodeAt(index);
  }

  override indexOf(sought: string, from?: number): number {
    this.#onReads(0);
    return this.#text.indexOf(sought, from);
  }
}

function watched(text: string, onReads: (count: number) => void): string {
  return new WatchedText(text, onReads) as unknown as string;
}

/** What is told of a query whose expressions took too long for some texts: nothing where they did not. */
export function slowProblems(q: string, { unsearched }: Pick<RegexWatch, "unsearched">): QueryProblem[] {
  if (unsearched === 0) return [];
  const texts = formatPlural(unsearched, "text was", "texts were");
  return [{ from: 0, to: q.length, message: `The expression takes too long: ${texts} not searched for it` }];
}
