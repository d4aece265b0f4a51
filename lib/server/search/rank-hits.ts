import type { SearchField, SearchHit } from "@/lib/wire/search";

/** Where a word says most about a text, in steps. */
const WEIGHTS: Record<SearchField, number> = {
  title: 0,
  prompt: 0,
  text: 1,
  thinking: 2,
  input: 3,
  output: 4,
  attachment: 5,
  raw: 5,
  meta: 6,
};

const LETTER = /[\p{L}\p{N}_]/u;

/** Whole words before parts of words, then by field, then the newest first. */
export function rankHits(hits: readonly SearchHit[]): SearchHit[] {
  return hits
    .map((hit) => ({ hit, part: isWholeWord(hit) ? 0 : 1, weight: WEIGHTS[hit.field], atMs: hit.atMs ?? 0 }))
    .sort((a, b) => a.part - b.part || a.weight - b.weight || b.atMs - a.atMs)
    .map(({ hit }) => hit);
}

/** Chinese is written without gaps: there every find is a whole word. */
function isWholeWord({ snippet, ranges }: SearchHit): boolean {
  return ranges.some(([from, to]) => {
    const before = snippet[from - 1] ?? " ";
    const after = snippet[to] ?? " ";
    const isCut = (outside: string, inside: string) =>
      LETTER.test(outside) && LETTER.test(inside) && inside < "\u2e80";
    return !isCut(before, snippet[from] ?? " ") && !isCut(after, snippet[to - 1] ?? " ");
  });
}
