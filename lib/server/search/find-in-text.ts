import { RE2JS } from "re2js";
import type { Leaf, Query } from "@/lib/query/parse-query";
import { searchTerms } from "@/lib/query/required-terms";
import { literalPattern, type TextSpan, textPattern } from "@/lib/query/text-marks";
import { variantsOf } from "@/lib/server/index/signature";
import type { RegexWatch } from "./regex-watch";

/** Finds the words of one query in texts. */
export type TextFinder = {
  /**
   * Whether a word, phrase or regular expression of the query matches the text; null where looking for an expression took
   * too long.
   */
  holds(leaf: Exclude<Leaf, { kind: "filter" }>, text: string): boolean | null;
  /** Every match of the query's positive terms, in order, at most `most`; of expressions those found before it took too long. */
  ranges(text: string, most: number): TextSpan[];
  /** Those of its regular expressions alone. */
  regexRanges(text: string, most: number): TextSpan[];
};

/** The next match from a place on. `size`: steps of a compiled expression, 0 of a word. */
type Matcher = { size: number; next: (text: string, from: number) => TextSpan | null };

/**
 * A finder for a query. Regular expressions are RE2's: linear in the text, whatever the expression.
 * @param watch ends what takes too long all the same
 */
export function createTextFinder(query: Query | null, watch: RegexWatch): TextFinder {
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
  const terms = searchTerms(query);
  const sought = terms.map(matcherOf);
  const expressions = terms.filter(({ kind }) => kind === "regex").map(matcherOf);
  return {
    holds: (leaf, text) => {
      const { size, next } = matcherOf(leaf);
      if (size === 0) return next(text, 0) !== null;
      return watch.look(text, size, (watched) => next(watched, 0) !== null);
    },
    ranges: (text, most) => rangesOf(sought, text, most, watch),
    regexRanges: (text, most) => rangesOf(expressions, text, most, watch),
  };
}

function rangesOf(matchers: readonly Matcher[], text: string, most: number, watch: RegexWatch): TextSpan[] {
  const found: TextSpan[] = [];
  for (const { size, next } of matchers) {
    const find = (watched: string) => {
      let from = 0;
      for (let count = 0; count < most; count++) {
        const range = next(watched, from);
        if (!range) break;
        found.push(range);
        from = Math.max(range[1], range[0] + 1);
      }
    };
    if (size === 0) find(text);
    else watch.lookFurther(text, size, find);
  }
  return found.sort((a, b) => a[0] - b[0]).slice(0, most);
}

/**
 * The error in a regular expression, as a message; null if it is valid.
 * @param maxSize the most steps that it may have when compiled; null: any number
 */
export function checkRegex(source: string, maxSize: number | null = null): string | null {
  try {
    const size = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE).programSize();
    if (maxSize === null || size <= maxSize) return null;
    return "This expression takes too long for a session that is shared: it repeats too much, or has too many parts";
  } catch (error) {
    if (!(error instanceof Error)) return "Not a regular expression: it cannot be read";
    // It quotes the expression with the flag that stands for ignoring case.
    return `Not a regular expression: ${error.message.replace(/^error parsing regexp: /, "").replace("`(?i)", "`")}`;
  }
}

function wordMatcher(word: string): Matcher {
  const pattern = textPattern(word);
  const next = (text: string, from: number): TextSpan | null => {
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    return found ? [found.index, found.index + found[0].length] : null;
  };
  return { size: 0, next };
}

function regexMatcher(source: string): Matcher {
  const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  const next = (text: string, from: number): TextSpan | null => {
    if (from > text.length) return null;
    const matcher = pattern.matcher(text);
    return matcher.find(from) ? [matcher.start(), matcher.end()] : null;
  };
  return { size: Math.max(1, pattern.programSize()), next };
}

/** Longer words are searched by their first characters; the decoded text is compared with the whole word. */
const MAX_CHARACTERS = 256;

/** ASCII characters that writers of JSON strings must or may escape. */
const SHORT_ESCAPES = new Map([
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\b", "b"],
  ["\f", "f"],
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
]);

/**
 * A pattern for any of some terms in the bytes of JSON lines, read as Latin-1: in any case, unescaped or escaped. A
 * match is only a candidate, but without a match the term does not occur. ASCII letters are assumed to be unescaped, as
 * every JSON writer leaves them.
 */
export function rawPattern(terms: readonly string[]): RegExp {
  return patternOf(terms, (point) => {
    if (point >= 0x80)
      return `(?:${variants(point)
        .map((one) => `${utf8(one)}|${unicodeEscapes(one)}`)
        .join("|")})`;
    const character = String.fromCharCode(point);
    const short = SHORT_ESCAPES.get(character);
    const alternatives =
      point < 0x20 || character === '"' || character === "\\" ? [] : [literalPattern(character)];
    if (short !== undefined) alternatives.push(`\\\\${literalPattern(short)}`);
    if (!/[A-Za-z0-9 ]/.test(character)) alternatives.push(unicodeEscapes(point));
    return alternatives.length === 1 ? (alternatives[0] as string) : `(?:${alternatives.join("|")})`;
  });
}

/** The same for plain UTF-8, read as Latin-1. */
export function plainPattern(terms: readonly string[]): RegExp {
  return patternOf(terms, (point) =>
    point < 0x80 ? literalPattern(String.fromCharCode(point)) : `(?:${variants(point).map(utf8).join("|")})`,
  );
}

function patternOf(terms: readonly string[], escape: (point: number) => string): RegExp {
  const alternatives = terms.map((term) =>
    Array.from(term)
      .slice(0, MAX_CHARACTERS)
      .map((character) => escape(character.codePointAt(0) as number))
      .join(""),
  );
  return new RegExp(alternatives.join("|"), "gi");
}

function variants(point: number): number[] {
  return point > 0xffff ? [point] : variantsOf(point);
}

function utf8(point: number): string {
  // A lone surrogate is replaced on decoding, as it was on writing.
  return Array.from(
    Buffer.from(String.fromCodePoint(point), "utf8"),
    (byte) => `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
}

function unicodeEscapes(point: number): string {
  const text = String.fromCodePoint(point);
  return Array.from(
    { length: text.length },
    (_, at) => `\\\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
