import { formatPlural } from "@/lib/format/format";
import type { QueryProblem } from "@/lib/wire/search";

/** How long expressions may be looked for, in milliseconds. */
export type RegexLimits = {
  /** In one text. */
  textMs: number;
  /** In all texts together in which looking was given up; in each one behind that `leastMs`. */
  givenUpMs: number;
  leastMs: number;
  /** In all texts together; nothing is looked for behind that. */
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
    try {
      return find(isShort ? text : watched(text, () => this.#check(beganMs + forMs)));
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      this.#givenUpMs += performance.now() - beganMs;
      return TOO_LONG;
    } finally {
      this.#allMs += performance.now() - beganMs;
    }
  }

  #check(endsAtMs: number): void {
    if (this.#isStopped()) throw new SearchStoppedError("The search was stopped");
    if (performance.now() > endsAtMs) throw new TookTooLong();
  }
}

/** A text of which RE2JS reads each character by `charCodeAt`, and looks for a required word by `indexOf`. */
class WatchedText extends String {
  readonly #text: string;
  readonly #check: () => void;
  #left = READS_A_CHECK;

  constructor(text: string, check: () => void) {
    super(text);
    this.#text = text;
    this.#check = check;
  }

  override charCodeAt(index: number): number {
    this.#left -= 1;
    if (this.#left <= 0) {
      this.#left = READS_A_CHECK;
      this.#check();
    }
    return this.#text.charCodeAt(index);
  }

  override indexOf(sought: string, from?: number): number {
    this.#check();
    return this.#text.indexOf(sought, from);
  }
}

function watched(text: string, check: () => void): string {
  return new WatchedText(text, check) as unknown as string;
}

/** What is told of a query whose expressions took too long for some texts: nothing where they did not. */
export function slowProblems(q: string, { unsearched }: Pick<RegexWatch, "unsearched">): QueryProblem[] {
  if (unsearched === 0) return [];
  const texts = formatPlural(unsearched, "text was", "texts were");
  return [{ from: 0, to: q.length, message: `The expression takes too long: ${texts} not searched for it` }];
}
