import { evaluate } from "@/lib/query/evaluate";
import type { Query } from "@/lib/query/parse-query";
import { searchTerms } from "@/lib/query/required-terms";
import {
  type FoundLimits,
  type FoundText,
  foundTexts,
  TEXT_END,
  type TextSpan,
} from "@/lib/query/text-marks";
import { formatRecordId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { agentOf, holdsForText, holdsForTexts, type TextInSession } from "./filter-matchers";
import { createTextFinder, type TextFinder } from "./find-in-text";
import { RegexWatch, SEARCH_LIMITS } from "./regex-watch";
import type { LocatedText, SearchSource } from "./sources";

const MAX_RANGES = 20;
/** The maximum number of an expression's finds in one text, if all of them are to be marked. */
const MAX_FOUND = 50_000;
/** Each hit contains this many of the finds of expressions: hits are streamed by the thousand. */
const EACH: FoundLimits = { texts: 100, characters: 4_000 };
/**
 * A hit with more different finds contains all of them, until the hits of a search together have contained this much.
 */
const MAX_TOLD: FoundLimits = { texts: 20_000, characters: 400_000 };
const MAX_TOGETHER = 4_000_000;

/** Matches texts against one query. */
export type TextMatcher = {
  /** False if no text of the session can match. */
  mayHold(source: SearchSource): boolean;
  /** The hit, if the text matches. `calls` is only called where a filter needs it. */
  match(source: SearchSource, text: LocatedText, calls: () => CallLookup | null): SearchHit | null;
  /** The finds of regular expressions in texts that are one hit; none unless they are to be marked. */
  foundIn(texts: readonly string[]): FoundText[];
  /** Whether `foundIn` may find something. */
  tellsFound: boolean;
};

/**
 * A matcher for a query. `nowMs`: the time from which ages such as `7d` are counted. `toMark`: hits contain the finds
 * of regular expressions in their texts. `watch`: ends looking for those.
 */
export function createTextMatcher(
  query: Query | null,
  nowMs: number,
  toMark = false,
  watch = new RegexWatch(SEARCH_LIMITS),
): TextMatcher {
  const finder = createTextFinder(query, watch);
  const tellsFound = toMark && searchTerms(query).some(({ kind }) => kind === "regex");
  let leftCharacters = MAX_TOGETHER;
  const foundIn = (texts: readonly string[]) => {
    if (!tellsFound) return [];
    const ranges: TextSpan[] = [];
    let before = 0;
    for (const text of texts) {
      for (const [from, to] of finder.regexRanges(text, MAX_FOUND)) ranges.push([from + before, to + before]);
      before += text.length + TEXT_END.length;
    }
    const found = foundTexts(texts.join(TEXT_END), ranges, leftCharacters > 0 ? MAX_TOLD : EACH);
    leftCharacters -= Math.max(0, charactersOf(found) - EACH.characters);
    return found;
  };
  return {
    foundIn,
    tellsFound,
    mayHold: (source) =>
      evaluate(query, (leaf) => (leaf.kind === "filter" ? holdsForTexts(leaf, source, nowMs) : null)) !==
      false,
    match(source, text, calls) {
      const place = { source, text, calls };
      const found = evaluate(query, (leaf) =>
        leaf.kind === "filter" ? holdsForText(leaf, place, nowMs) : finder.holds(leaf, text.text),
      );
      if (found !== true) return null;
      const hit = toHit(place, finder);
      const texts = foundIn([text.text]);
      return texts.length > 0 ? { ...hit, found: texts } : hit;
    },
  };
}

function charactersOf(found: readonly FoundText[]): number {
  let characters = 0;
  for (const { text, beside = [] } of found) {
    characters += text.length;
    for (const [before, behind] of beside) characters += before.length + behind.length;
  }
  return characters;
}

function toHit(place: TextInSession, finder: TextFinder): SearchHit {
  const { source, text } = place;
  const { file, offset, block, field, tool, atMs } = text;
  return {
    projectId: source.projectId,
    sessionId: source.id,
    agentId: agentOf(place) as SearchHit["agentId"],
    recordId: formatRecordId(file, offset),
    block,
    field,
    tool,
    ...toSnippet(text.text, finder.ranges(text.text, MAX_RANGES)),
    atMs,
  };
}

const BEFORE = 60;
const LENGTH = 240;
/** A partial word at the start is left out if it is no longer than this. */
const MAX_STUB = 24;

/**
 * The part of a text around its first match, on one line, with the ranges of the matches in it; "…" replaces what
 * precedes it. Without a match the beginning of the text.
 */
export function toSnippet(
  text: string,
  ranges: readonly TextSpan[],
): { snippet: string; ranges: TextSpan[] } {
  const first = ranges[0] ?? [0, 0];
  let from = first[0] <= BEFORE ? 0 : first[0] - BEFORE;
  if (from > 0) from += stubLength(text.slice(from, Math.min(first[0], from + MAX_STUB)));
  if (isLowSurrogate(text, from)) from -= 1;
  const lead = from > 0 ? "…" : "";
  let to = Math.min(text.length, Math.max(from + LENGTH, Math.min(first[1], from + 2 * LENGTH)));
  if (isLowSurrogate(text, to)) to += 1;
  // Replaced character by character, so that the ranges stay valid.
  const snippet = text
    .slice(from, to)
    .replace(/[\s\0]/g, " ")
    .replace(/\p{Surrogate}/gu, "\ufffd");
  const inside = ranges.filter((range) => range[0] >= from && range[0] < to && range[1] > range[0]);
  const shift = lead.length - from;
  return {
    snippet: lead + snippet,
    ranges: inside.map((range) => [range[0] + shift, Math.min(range[1], to) + shift]),
  };
}

/** How many characters to skip to start at a word; 0 where no word starts soon. */
function stubLength(text: string): number {
  return text.search(/\s/) + 1;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
