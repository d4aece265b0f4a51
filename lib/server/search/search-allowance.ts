import { ViewerError } from "@/lib/server/runtime/viewer-error";

type Limits = {
  /** What may be spent at once, in milliseconds of a thread's time. */
  maxMs: number;
  /** How much of the time that passes comes back. */
  refill: number;
};

/**
 * How long searches may keep threads busy. What was spent comes back with time; a step that took longer than was left is
 * paid back before the next.
 */
export class SearchAllowance {
  readonly #limits: Limits;
  readonly #whole: SearchAllowance | null;
  readonly #nowMs: () => number;
  #leftMs: number;
  #atMs: number;

  /** @param whole what this is a part of: spent with it, and not exceeded either */
  constructor(limits: Limits, whole: SearchAllowance | null = null, nowMs = () => performance.now()) {
    this.#limits = limits;
    this.#whole = whole;
    this.#nowMs = nowMs;
    this.#leftMs = limits.maxMs;
    this.#atMs = nowMs();
  }

  get isSpent(): boolean {
    this.#refill();
    return this.#leftMs <= 0 || this.#whole?.isSpent === true;
  }

  /** Counts time for which a thread was busy, also where that is more than was left. */
  spend(ms: number): void {
    this.#refill();
    this.#leftMs -= ms;
    this.#whole?.spend(ms);
  }

  /** Throws ViewerError `too-much-searched` (429) while nothing is left. */
  demand(): void {
    if (!this.isSpent) return;
    throw new ViewerError("too-much-searched", "This link has been used for too much searching at once", {
      status: 429,
      hint: "Search again in some seconds. Words are found faster than expressions.",
    });
  }

  #refill(): void {
    const nowMs = this.#nowMs();
    const back = Math.max(0, nowMs - this.#atMs) * this.#limits.refill;
    this.#leftMs = Math.min(this.#limits.maxMs, this.#leftMs + back);
    this.#atMs = nowMs;
  }
}

/** What keeps searches of guests from slowing down the owner's page. */
export type SearchLimits = {
  allowance: SearchAllowance;
  /** Steps of a compiled expression: each character of a text may cost as many. */
  maxRegexSize: number;
};

/** A session of 200 MB is searched for an expression in 3 s. */
const ONE_LINK: Limits = { maxMs: 20_000, refill: 0.5 };
/** All of them together take one core at most, at a low priority where threads have one. */
const ALL_LINKS: Limits = { maxMs: 60_000, refill: 1 };
/** At this size 100 KB of text take up to two seconds, of which a search gives one to each (`SEARCH_LIMITS`). */
const MAX_REGEX_SIZE = 500;

let all: SearchAllowance | null = null;

/** The limits of one link's guests, who share those of all links of this process. */
export function guestSearchLimits(): SearchLimits {
  all ??= new SearchAllowance(ALL_LINKS);
  return { allowance: new SearchAllowance(ONE_LINK, all), maxRegexSize: MAX_REGEX_SIZE };
}
