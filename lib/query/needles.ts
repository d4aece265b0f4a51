import type { Leaf, Query } from "./query";
import { regexLiteral } from "./regex-literal";

const MOST_WAYS = 64;

/**
 * The words of which at least one must stand in every text that the query finds, so that all others can
 * be passed over unread: the longest of an AND, one of each way of an OR. Null where there is no such
 * word, as in `-fix` or `/[0-9]+/`.
 */
export function needlesOf(query: Query | null): string[] | null {
  switch (query?.kind) {
    case undefined:
    case "not":
    case "filter":
      return null;
    case "word":
    case "phrase":
      return [query.text];
    case "regex": {
      const literal = regexLiteral(query.source);
      return literal === "" ? null : [literal];
    }
    case "and": {
      const ways = query.parts.map(needlesOf).filter((words) => words !== null);
      return ways.sort((a, b) => shortest(b) - shortest(a))[0] ?? null;
    }
    case "or": {
      const ways = query.parts.map(needlesOf);
      const words = ways.flatMap((way) => way ?? []);
      return ways.includes(null) || words.length > MOST_WAYS ? null : words;
    }
  }
}

function shortest(words: readonly string[]): number {
  return Math.min(...words.map((word) => word.length));
}

/** Words, phrases and regular expressions that are looked for, not those that are excluded: what is marked in a text. */
export function soughtIn(query: Query | null): Exclude<Leaf, { kind: "filter" }>[] {
  if (query === null) return [];
  switch (query.kind) {
    case "not":
    case "filter":
      return [];
    case "and":
    case "or":
      return query.parts.flatMap(soughtIn);
    default:
      return [query];
  }
}
