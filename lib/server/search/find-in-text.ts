import { RE2JS } from "re2js";
import { soughtIn } from "@/lib/query/needles";
import type { Leaf, Query } from "@/lib/query/query";
import { textPattern } from "./needle-pattern";

export type Range = [from: number, to: number];

/** Finds the words of one query in texts. */
export type TextFinder = {
  /** Whether a word, phrase or regular expression of the query stands in the text. */
  holds(leaf: Exclude<Leaf, { kind: "filter" }>, text: string): boolean;
  /** Every find of what is sought, in order, at most `most`. */
  ranges(text: string, most: number): Range[];
};

type Matcher = (text: string, from: number) => Range | null;

/** A finder for a query. Regular expressions are RE2's: linear in the text, whatever they say. */
export function createTextFinder(query: Query | null): TextFinder {
  const matchers = new Map<string, Matcher>();
  const matcherOf = (leaf: Exclude<Leaf, { kind: "filter" }>): Matcher => {
    const key = leaf.kind === "regex" ? `/${leaf.source}` : `=${leaf.text}`;
    let matcher = matchers.get(key);
    if (!matcher) {
      matcher = leaf.kind === "regex" ? regexMatcher(leaf.source) : wordMatcher(leaf.text);
      matchers.set(key, matcher);
    }
    return matcher;
  };
  const sought = soughtIn(query).map(matcherOf);
  return {
    holds: (leaf, text) => matcherOf(leaf)(text, 0) !== null,
    ranges(text, most) {
      const found: Range[] = [];
      for (const matcher of sought) {
        let from = 0;
        for (let count = 0; count < most; count++) {
          const range = matcher(text, from);
          if (!range) break;
          found.push(range);
          from = Math.max(range[1], range[0] + 1);
        }
      }
      return found.sort((a, b) => a[0] - b[0]).slice(0, most);
    },
  };
}

/** What is wrong with a regular expression, in words; null if nothing. */
export function checkRegex(source: string): string | null {
  try {
    RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    return null;
  } catch (error) {
    return `Not a regular expression: ${error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "it cannot be read"}`;
  }
}

function wordMatcher(word: string): Matcher {
  const pattern = textPattern(word);
  return (text, from) => {
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    return found ? [found.index, found.index + found[0].length] : null;
  };
}

function regexMatcher(source: string): Matcher {
  const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  return (text, from) => {
    if (from > text.length) return null;
    const matcher = pattern.matcher(text);
    return matcher.find(from) ? [matcher.start(), matcher.end()] : null;
  };
}
