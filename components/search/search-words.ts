import { parseQuery } from "@/lib/query/parse-query";
import type { Query } from "@/lib/query/query";
import type { SearchHit } from "@/lib/wire/search";

/**
 * One expression that finds in a text what a query looks for, to mark it; `null` if the query only
 * filters. A `/regex/` is never run here, where it could run for ever and a link could bring it: what
 * it matched (`found`, from the server's hits) is marked instead.
 */
export function markPattern(query: string, found: readonly string[] = []): RegExp | null {
  const words = wantedTexts(query);
  // The longest first: an alternative that is a part of another would win over it.
  const parts = [...new Set([...words, ...found])]
    .filter((word) => word.trim() !== "")
    .sort((left, right) => right.length - left.length)
    .map(escapeWord);
  return parts.length > 0 ? new RegExp(parts.join("|"), "giu") : null;
}

/** The texts that hits were found by, each once, at most `most`. */
export function foundTexts(hits: readonly Pick<SearchHit, "snippet" | "ranges">[], most = 50): string[] {
  const texts = new Set<string>();
  for (const { snippet, ranges } of hits) {
    for (const [from, to] of ranges) texts.add(snippet.slice(from, to).toLowerCase());
    if (texts.size >= most) break;
  }
  return [...texts];
}

/** Plain words of a query in lower case, for filtering names while one types; filters count as none. */
export function plainWords(query: string): string[] {
  return wantedTexts(query).map((text) => text.toLowerCase());
}

/** Words and phrases that a query wants, wherever they stand in it, but not those that it excludes. */
function wantedTexts(text: string): string[] {
  const { query } = parseQuery(text);
  const found: string[] = [];
  const left: Query[] = query ? [query] : [];
  for (let part = left.pop(); part; part = left.pop()) {
    if (part.kind === "word" || part.kind === "phrase") found.push(part.text);
    else if (part.kind === "and" || part.kind === "or") left.push(...part.parts.toReversed());
  }
  return found.filter((one) => one !== "");
}

/** Where a pattern stands in a text, [from, to), at most `most` places. Empty finds are skipped. */
export function findRanges(text: string, pattern: RegExp, most = 200): [number, number][] {
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0] !== "") ranges.push([match.index, match.index + match[0].length]);
    if (ranges.length >= most) break;
  }
  return ranges;
}

/** White space in a phrase matches any, as a text on the page may wrap there. */
function escapeWord(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/\s+/g, "\\s+");
}
