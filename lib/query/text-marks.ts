import { parseQuery } from "./parse-query";
import { searchTerms } from "./required-terms";

/** From one UTF-16 unit of a text to another. */
export type TextRange = [from: number, to: number];

/**
 * A text that a regular expression of a query matched, whole. `beside`: where the same text also stands unmatched
 * (`\bcat\b` in "concatenate a cat"), the characters before and behind that tell matches from the rest, the nearest
 * first; `TEXT_END` where there are no more.
 */
export type FoundText = { text: string; beside?: [before: string, behind: string][] };

/** The term itself, in any case, in a decoded text. */
export function textPattern(term: string): RegExp {
  return new RegExp(
    Array.from({ length: term.length }, (_, at) => literal(term[at] as string)).join(""),
    "gi",
  );
}

function literal(character: string): string {
  return /[A-Za-z0-9]/.test(character)
    ? character
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Words and phrases that a query looks for, not those that it excludes. Regular expressions are left out, but for those
 * that are none: `refused` are the parts of the query that the server looks for as they are.
 */
export function wantedWords(query: string, refused: readonly { from: number; to: number }[] = []): string[] {
  const plain = new Set(refused.map(({ from, to }) => query.slice(from, to)));
  const words = searchTerms(parseQuery(query).query).flatMap((term) => {
    if (term.kind !== "regex") return [term.text];
    const text = `/${term.source}/`;
    return plain.has(text) ? [text] : [];
  });
  return [...new Set(words)].filter((word) => word !== "");
}

/** What to mark in a text that was found: the query's words, and what its expressions matched there. */
export type Wanted = { words: readonly string[]; found: readonly FoundText[] };

/**
 * Where the wanted stands in a text, in order; what overlaps is one range. Expressions are never run here, where
 * they could run for ever and a link could bring them.
 */
export function markedRanges(text: string, { words, found }: Wanted): TextRange[] {
  const ranges: TextRange[] = [];
  for (const word of words) {
    const pattern = textPattern(word);
    for (let match = pattern.exec(text); match && ranges.length < MAX_RANGES; match = pattern.exec(text))
      ranges.push([match.index, match.index + match[0].length]);
  }
  for (const one of found) ranges.push(...foundRanges(text, one));
  return joinRanges(ranges);
}

/** Ranges of one term in one text. A text of one letter repeated would have more than anybody looks at. */
const MAX_RANGES = 10_000;

/** Ranges in order, with those that overlap joined. */
export function joinRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const [from, to] of ranges.toSorted(([left], [right]) => left - right)) {
    const last = joined.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) joined.push([from, to]);
  }
  return joined;
}

function foundRanges(text: string, { text: wanted, beside }: FoundText): TextRange[] {
  const ranges: TextRange[] = [];
  const pattern = spacedPattern(wanted);
  for (let match = pattern.exec(text); match && ranges.length < MAX_RANGES; match = pattern.exec(text)) {
    const { index } = match;
    const to = index + match[0].length;
    const isMatch = beside?.some(
      ([before, behind]) =>
        isBeside(before, charactersFrom(text, index - 1, -1, before.length)) &&
        isBeside(behind, charactersFrom(text, to, 1, behind.length)),
    );
    if (isMatch !== false) ranges.push([index, to]);
    // A match may begin inside of what only looks like one.
    pattern.lastIndex = index + 1;
  }
  return ranges;
}

/** White space matches any: a line break of a log may be a space on the page. */
function spacedPattern(text: string): RegExp {
  const characters = Array.from({ length: text.length }, (_, at) => text[at] as string);
  return new RegExp(characters.map((one) => (/\s/.test(one) ? "\\s" : literal(one))).join(""), "g");
}

/** On the page a line may be a text of its own, whose ends are where a log has line breaks. */
function isBeside(logged: string, there: string): boolean {
  for (let at = 0; at < logged.length; at++)
    if (logged[at] !== there[at]) return logged[at] === "\n" && there[at] === TEXT_END;
  return true;
}

/** So many characters from a place on, forwards or backwards; `TEXT_END` is the last where the text ends before. */
function charactersFrom(text: string, from: number, step: 1 | -1, count: number): string {
  let characters = "";
  for (let at = from; characters.length < count; at += step) {
    const character = text[at] ?? TEXT_END;
    characters += /[\n\r]/.test(character) ? "\n" : /\s/.test(character) ? " " : character;
    if (character === TEXT_END) break;
  }
  return characters;
}

/** Stands between texts that are looked at as one. */
export const TEXT_END = "\0";

/** Longer ones are no find that a reader looks at, and hits stream by the thousand. */
const MAX_TEXT = 1_000;
const MAX_TEXTS = 100;
const MAX_CHARACTERS = 4_000;

/** How many characters beside a match are told, from the fewest on, until they tell it from the rest. */
const BESIDE = [1, 12];
/** More pairs of these are not told: a page compares each with every equal text. */
const MAX_PAIRS = 200;

/** The texts at these ranges, each once: what marks them elsewhere. The first ones, where there are very many. */
export function foundTexts(text: string, ranges: readonly TextRange[]): FoundText[] {
  const placesOf = new Map<string, TextRange[]>();
  let characters = 0;
  for (const [from, to] of ranges) {
    const found = text.slice(from, to);
    const known = placesOf.get(found);
    if (known) known.push([from, to]);
    else if (found.trim() !== "" && found.length <= MAX_TEXT) {
      if (placesOf.size >= MAX_TEXTS || characters + found.length > MAX_CHARACTERS) continue;
      characters += found.length;
      placesOf.set(found, [[from, to]]);
    }
  }
  const matched = joinRanges(ranges);
  return [...placesOf].map(([found, places]) => {
    let one: FoundText = { text: found };
    for (const count of BESIDE) {
      if (areWithin(foundRanges(text, one), matched)) break;
      const beside = charactersBeside(text, places, count);
      if (one.beside && beside.length > MAX_PAIRS) break;
      one = { text: found, beside };
    }
    return one;
  });
}

/** What stands before and behind these places, each pair once. */
function charactersBeside(
  text: string,
  places: readonly TextRange[],
  count: number,
): [before: string, behind: string][] {
  const pairs = places.map(([from, to]): [string, string] => [
    charactersFrom(text, from - 1, -1, count),
    charactersFrom(text, to, 1, count),
  ]);
  return [...new Map(pairs.map((pair) => [pair.join("\n\n"), pair])).values()];
}

/** Whether each range lies in one of the others, which are in order. */
function areWithin(ranges: readonly TextRange[], others: readonly TextRange[]): boolean {
  let at = 0;
  return ranges.every(([from, to]) => {
    while (at < others.length && (others[at] as TextRange)[1] <= from) at += 1;
    const other = others[at];
    return other !== undefined && other[0] <= from && to <= other[1];
  });
}
