import type { Leaf, Query } from "./parse-query";
import { formsOf } from "./text-forms";

const MAX_WORDS = 64;

/**
 * Words of which every text that the query finds contains at least one, so that all other texts can be skipped unread:
 * the longest of an AND, one of each alternative of an OR. Null if there is no such word, as in `-fix` or `/[0-9]+/`.
 */
export function requiredTerms(query: Query | null): string[] | null {
  switch (query?.kind) {
    case undefined:
    case "not":
    case "filter":
      return null;
    case "word":
    case "phrase":
      return waysOf(query.text).flatMap(formsOf);
    case "regex": {
      const literal = regexLiteral(query.source);
      return literal === "" ? null : [literal];
    }
    case "and": {
      const parts = query.parts.map(requiredTerms).filter((words) => words !== null);
      return parts.sort((a, b) => shortest(b) - shortest(a))[0] ?? null;
    }
    case "or": {
      const alternatives = query.parts.map(requiredTerms);
      const words = alternatives.flatMap((terms) => terms ?? []);
      return alternatives.includes(null) || words.length > MAX_WORDS ? null : words;
    }
  }
}

/**
 * A phrase may span the fields of a call's input, which are a line each in its text and anywhere in the log's, or a command
 * and what was typed behind it, which are elements of their own there: it may also begin within the command's name. A text
 * of line breaks alone is looked for as it is.
 */
function waysOf(text: string): string[] {
  if (/^(?:\/|[!#] )/.test(text)) return [longest(text.split(/\s+/))];
  const [first = "", ...lines] = text.split("\n");
  const line = longest([first, ...lines]);
  if (line === "") return [text];
  const blank = first.search(/\s/);
  return line === first && blank !== -1 ? [line, `${first.slice(0, blank)}</command-name>`] : [line];
}

function longest(parts: readonly string[]): string {
  return parts.reduce((a, b) => (b.length > a.length ? b : a));
}

function shortest(words: readonly string[]): number {
  return Math.min(...words.map((word) => word.length));
}

/** Words, phrases and regular expressions that are wanted, not those that are excluded: what is marked in a text. */
export function searchTerms(query: Query | null): Exclude<Leaf, { kind: "filter" }>[] {
  if (query === null) return [];
  switch (query.kind) {
    case "not":
    case "filter":
      return [];
    case "and":
    case "or":
      return query.parts.flatMap(searchTerms);
    default:
      return [query];
  }
}

/** Quantifiers, which make the characters before them optional or repeated. */
const QUANTIFIERS = "*?{";
const SPECIAL = ".^$*+?()[]{}|\\";

/**
 * The longest text in everything that a regular expression matches, or "". It only looks outside of brackets and gives
 * up on alternatives: too little is found, never too much.
 */
export function regexLiteral(source: string): string {
  const runs: string[] = [""];
  const add = (character: string) => {
    runs[runs.length - 1] += character;
  };
  for (let at = 0; at < source.length; at++) {
    // A character outside the basic plane is two units of a string, and one character to a quantifier.
    const character = String.fromCodePoint(source.codePointAt(at) as number);
    at += character.length - 1;
    const next = source[at + 1] ?? "";
    if (character === "|") return "";
    if (character === "(" || character === "[") {
      const end = closing(source, at);
      if (end === -1) return "";
      at = end;
      runs.push("");
    } else if (character === "\\") {
      at += 1;
      // `\.` is a dot; `\d`, `\b`, `\Q` and the like are something else.
      if (next === "Q" || next === "x" || next === "p" || next === "P" || /[0-7]/.test(next)) return "";
      if (/[a-zA-Z]/.test(next) || next === "" || QUANTIFIERS.includes(source[at + 1] ?? " ")) runs.push("");
      else add(next);
    } else if (character === "{") {
      const end = source.indexOf("}", at);
      if (end === -1) return "";
      at = end;
      runs.push("");
    } else if (SPECIAL.includes(character) || QUANTIFIERS.includes(next || " ")) runs.push("");
    else add(character);
    // A repeated character occurs at least once, but not next to what follows it.
    if (next === "+" && character !== "\\") runs.push("");
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

/** The bracket that closes the one at `from`, or -1. */
function closing(source: string, from: number): number {
  if (source[from] === "[") {
    // A bracket that comes first in a class is a member of it.
    let at = from + (source[from + 1] === "^" ? 2 : 1);
    if (source[at] === "]") at += 1;
    for (; at < source.length; at++) {
      if (source[at] === "\\") at += 1;
      else if (source[at] === "[" && source[at + 1] === ":") at = Math.max(at, source.indexOf(":]", at) + 1);
      else if (source[at] === "]") return at;
    }
    return -1;
  }
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "[") {
      const end = closing(source, at);
      if (end === -1) return -1;
      at = end;
    } else if (source[at] === "(") depth += 1;
    else if (source[at] === ")" && --depth === 0) return at;
  }
  return -1;
}
