import type { SearchField, SearchHit } from "@/lib/wire/search";

/**
 * Hits of the index are ranked together up to this many, or those of this many chunks: never limited by time, so that a
 * repeated search returns its hits in the same order.
 */
export const MAX_RANKED_HITS = 2000;
export const MAX_RANKED_CHUNKS = 300;

/** Fields by how relevant a match in them is, the most relevant first. */
const FIELD_RANKS: Record<SearchField, number> = {
  title: 0,
  prompt: 0,
  command: 0,
  text: 1,
  thinking: 2,
  input: 3,
  returned: 3,
  output: 4,
  attachment: 5,
  raw: 5,
  meta: 6,
};

/** Whole words before parts of words, then by field, then the newest first. Equals stay in the order given. */
export function rankHits(hits: readonly SearchHit[]): SearchHit[] {
  return hits
    .map((hit) => ({
      hit,
      part: isWholeWord(hit) ? 0 : 1,
      rank: FIELD_RANKS[hit.field],
      atMs: hit.atMs ?? 0,
    }))
    .sort((a, b) => a.part - b.part || a.rank - b.rank || b.atMs - a.atMs)
    .map(({ hit }) => hit);
}

const LETTER = /[\p{L}\p{N}_]/u;

/** Chinese is written without spaces: there every match counts as a whole word. */
function isWholeWord({ snippet, ranges }: SearchHit): boolean {
  return ranges.some(([from, to]) => {
    const before = snippet[from - 1] ?? " ";
    const after = snippet[to] ?? " ";
    const isCut = (outside: string, inside: string) =>
      LETTER.test(outside) && LETTER.test(inside) && inside < "\u2e80";
    return !isCut(before, snippet[from] ?? " ") && !isCut(after, snippet[to - 1] ?? " ");
  });
}
