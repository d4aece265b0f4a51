import type { Filter } from "./filters";
import { parseQuery } from "./parse-query";
import { searchTerms } from "./required-terms";
import { formsOf } from "./text-forms";

/** From one UTF-16 unit of a text to another. */
export type TextSpan = [from: number, to: number];

/**
 * A text that a regular expression of a query matched, whole. `beside`: if the same text also occurs unmatched
 * (`\bcat\b` in "concatenate a cat"), the characters before and after that distinguish the matches, the nearest first;
 * `TEXT_END` where there are no more.
 */
export type FoundText = { text: string; beside?: [before: string, behind: string][] };

/** The term itself, in any case and form, in a decoded text. */
export function textPattern(term: string): RegExp {
  const pattern = (form: string) =>
    Array.from({ length: form.length }, (_, at) => literalPattern(form[at] as string)).join("");
  return new RegExp(formsOf(term).map(pattern).join("|"), "gi");
}

/** A regular expression for one UTF-16 unit as it is. */
export function literalPattern(character: string): string {
  return /[A-Za-z0-9]/.test(character)
    ? character
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Words and phrases that a query wants, not those that it excludes. Regular expressions and filters are left out,
 * except for those that are none: `refused` are the parts of the query that are searched as they are.
 */
export function wantedWords(query: string, refused: readonly { from: number; to: number }[] = []): string[] {
  const plain = new Set(refused.map(({ from, to }) => query.slice(from, to)));
  const filters = new Set([...plain].map((text) => text.toLowerCase()));
  const refuseFilter = ({ name, value }: Filter) =>
    filters.has(`${name}:${value}`.toLowerCase()) ? "Refused" : null;
  const words = searchTerms(parseQuery(query, { refuseFilter }).query).flatMap((term) => {
    if (term.kind !== "regex") return [term.text];
    const text = `/${term.source}/`;
    return plain.has(text) ? [text] : [];
  });
  return [...new Set(words)].filter((word) => word !== "");
}

/** What to mark in a text that was found: the query's words, and what its expressions matched there. */
export type WantedTexts = { words: readonly string[]; found: readonly FoundText[] };

/** Returns the places of the wanted in a text, in order; overlapping ones are one range. */
export type Marker = (text: string) => TextSpan[];

/**
 * Makes a function that marks the texts of a row, in one pass over each of them however much is wanted. Expressions are
 * never run here: on the page a text is cut, and without its markup, so `^` or `.` would match something else than in
 * the log, and a link could contain one that runs forever. The server says what they found.
 */
export function createMarker({ words, found }: WantedTexts): Marker {
  const patterns = words.map(textPattern);
  const texts = new FoundFinder(found);
  return (text) => {
    const ranges: TextSpan[] = [];
    for (const pattern of patterns) {
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match && ranges.length < MAX_RANGES; match = pattern.exec(text))
        ranges.push([match.index, match.index + match[0].length]);
    }
    texts.find(text, (_one, from, to) => {
      ranges.push([from, to]);
      return true;
    });
    return joinRanges(ranges);
  };
}

/** The ranges of the words in one text. A text of one repeated letter would have more than anybody looks at. */
const MAX_RANGES = 10_000;

/** Ranges in order, with those that overlap joined. */
export function joinRanges(ranges: readonly TextSpan[]): TextSpan[] {
  const joined: TextSpan[] = [];
  for (const [from, to] of ranges.toSorted(([left], [right]) => left - right)) {
    const last = joined.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) joined.push([from, to]);
  }
  return joined;
}

/** The places of found texts in one text; what follows that many is not searched. */
const MAX_PLACES = 200_000;

/**
 * Finds any of many texts in one pass (Aho and Corasick's automaton): one step for each character, whatever the number
 * of texts. White space matches any white space: a line break of a log may be a space on the page.
 */
class FoundFinder {
  /**
   * For each state: the next one by character, the longest other state that it ends with, and the texts that end there.
   */
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #fallback: number[] = [0];
  readonly #ends: FoundText[][] = [[]];
  /** The nearest state behind `#fallback` in which a text ends; 0 for none. */
  readonly #shorter: number[] = [0];
  /** 1 for ASCII characters with which a text begins. */
  readonly #begins = new Uint8Array(ASCII);

  constructor(found: readonly FoundText[]) {
    for (const one of found) this.#add(one);
    for (const code of this.#next[0]?.keys() ?? []) if (code < ASCII) this.#begins[code] = 1;
    const queue = [...(this.#next[0]?.values() ?? [])];
    // The queue grows during the loop.
    for (const state of queue) {
      for (const [character, next] of this.#next[state] ?? []) {
        const fallback = this.#step(this.#fallback[state] ?? 0, character);
        this.#fallback[next] = fallback;
        this.#shorter[next] = this.#ends[fallback]?.length ? fallback : (this.#shorter[fallback] ?? 0);
        queue.push(next);
      }
    }
  }

  #add(one: FoundText): void {
    let state = 0;
    for (let at = 0; at < one.text.length; at++) {
      const character = plainCode(one.text.charCodeAt(at));
      let next = this.#next[state]?.get(character);
      if (next === undefined) {
        next = this.#next.push(new Map()) - 1;
        this.#fallback.push(0);
        this.#ends.push([]);
        this.#shorter.push(0);
        this.#next[state]?.set(character, next);
      }
      state = next;
    }
    this.#ends[state]?.push(one);
  }

  #step(from: number, character: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? 0) {
      const next = this.#next[state]?.get(character);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }

  /**
   * Calls `take` with each place of a text whose surroundings fit. `take` returns whether shorter texts that end there
   * can be skipped.
   */
  find(text: string, take: (one: FoundText, from: number, to: number) => boolean): void {
    if (this.#next.length === 1) return;
    let state = 0;
    let left = MAX_PLACES;
    for (let at = 0; at < text.length && left > 0; at++) {
      const code = plainCode(text.charCodeAt(at));
      // Most characters begin no wanted text.
      if (state === 0 && code < ASCII && this.#begins[code] === 0) continue;
      state = this.#step(state, code);
      let end = this.#ends[state]?.length ? state : (this.#shorter[state] ?? 0);
      while (end !== 0 && left > 0) {
        let isEnough = false;
        for (const one of this.#ends[end] ?? []) {
          left -= 1;
          const from = at + 1 - one.text.length;
          if (!isEnough && fitsBeside(text, from, at + 1, one)) isEnough = take(one, from, at + 1);
        }
        end = isEnough ? 0 : (this.#shorter[end] ?? 0);
      }
    }
  }
}

const SPACE = 0x20;
const ASCII = 0x80;
/** What `\s` matches, as a look-up: this runs for every character of every text. */
const WHITE = new Set(
  Array.from(
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    (character) => character.charCodeAt(0),
  ),
);

function plainCode(code: number): number {
  if (code > SPACE && code < ASCII) return code;
  return WHITE.has(code) ? SPACE : code;
}

function fitsBeside(text: string, from: number, to: number, { beside }: FoundText): boolean {
  return (
    beside === undefined ||
    beside.some(
      ([before, behind]) =>
        isBeside(before, charactersFrom(text, from - 1, -1, before.length)) &&
        isBeside(behind, charactersFrom(text, to, 1, behind.length)),
    )
  );
}

/** On the page a line may be a text of its own, which ends where a log has a line break. */
function isBeside(logged: string, there: string): boolean {
  for (let at = 0; at < logged.length; at++)
    if (logged[at] !== there[at]) return logged[at] === "\n" && there[at] === TEXT_END;
  return true;
}

/** This many characters from a place on, forwards or backwards; `TEXT_END` is the last one if the text ends before. */
function charactersFrom(text: string, from: number, step: 1 | -1, count: number): string {
  let characters = "";
  for (let at = from; characters.length < count; at += step) {
    const character = text[at] ?? TEXT_END;
    characters += /[\n\r]/.test(character) ? "\n" : /\s/.test(character) ? " " : character;
    if (character === TEXT_END) break;
  }
  return characters;
}

/** Separates texts that are searched as one. */
export const TEXT_END = "\0";

/** Longer texts are not useful as a find. */
const MAX_TEXT = 1_000;

/** Limits of an answer of `foundTexts`: the number of texts, and of their characters with those beside them. */
export type FoundLimits = { texts: number; characters: number };

/**
 * The numbers of characters beside a match that are tried, from the fewest on, until they distinguish it from the rest.
 */
const BESIDE = [1, 12];
/** More pairs of these are left out: a page compares each with every equal text. */
const MAX_PAIRS = 200;

/**
 * The texts at these ranges, each once, so that they can be marked elsewhere; only the first ones where the limits are
 * exceeded.
 */
export function foundTexts(text: string, ranges: readonly TextSpan[], limits: FoundLimits): FoundText[] {
  const placesOf = new Map<string, TextSpan[]>();
  let left = limits.characters;
  for (const [from, to] of ranges) {
    const found = text.slice(from, to);
    const known = placesOf.get(found);
    if (known) known.push([from, to]);
    else if (found.trim() !== "" && found.length <= MAX_TEXT) {
      if (placesOf.size >= limits.texts || found.length > left) continue;
      left -= found.length;
      placesOf.set(found, [[from, to]]);
    }
  }
  const matched = joinRanges(ranges);
  const texts = new Map([...placesOf.keys()].map((found): [string, FoundText] => [found, { text: found }]));
  for (const count of BESIDE) {
    for (const found of ambiguous(text, [...texts.values()], matched)) {
      const beside = charactersBeside(text, placesOf.get(found) ?? [], count);
      const characters = beside.reduce((sum, [before, behind]) => sum + before.length + behind.length, 0);
      const isMore = texts.get(found)?.beside !== undefined;
      if (isMore && (beside.length > MAX_PAIRS || characters > left)) continue;
      left -= characters;
      texts.set(found, { text: found, beside });
    }
  }
  return [...texts.values()];
}

/** Those of the texts that also occur where nothing was matched. */
function ambiguous(
  text: string,
  texts: readonly FoundText[],
  matched: readonly TextSpan[],
): ReadonlySet<string> {
  const places: [from: number, to: number, text: string][] = [];
  new FoundFinder(texts).find(text, (one, from, to) => {
    places.push([from, to, one.text]);
    return false;
  });
  places.sort(([left], [right]) => left - right);
  const found = new Set<string>();
  let at = 0;
  for (const [from, to, one] of places) {
    while (at < matched.length && (matched[at] as TextSpan)[1] <= from) at += 1;
    const other = matched[at];
    if (other === undefined || from < other[0] || to > other[1]) found.add(one);
  }
  return found;
}

/** The characters before and after these places, each pair once. */
function charactersBeside(
  text: string,
  places: readonly TextSpan[],
  count: number,
): [before: string, behind: string][] {
  const pairs = places.map(([from, to]): [string, string] => [
    charactersFrom(text, from - 1, -1, count),
    charactersFrom(text, to, 1, count),
  ]);
  return [...new Map(pairs.map((pair) => [pair.join("\n\n"), pair])).values()];
}
