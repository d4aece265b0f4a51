import type { SearchHit } from "@/lib/wire/search";

export type SnippetPart = { text: string; found: boolean };

/**
 * A hit's text cut into what was found and what stands between. Where more than one and a half times
 * `lead` characters stand before the first find, the beginning is cut: the find must be seen in its line.
 * Ranges that overlap or do not fit the text are left out.
 */
export function snippetParts(
  { snippet, ranges }: Pick<SearchHit, "snippet" | "ranges">,
  lead: number,
): SnippetPart[] {
  const first = ranges[0]?.[0] ?? 0;
  const begin = first > lead * 1.5 ? first - lead : 0;
  const parts: SnippetPart[] = begin > 0 ? [{ text: "…", found: false }] : [];
  let at = begin;
  for (const [from, to] of ranges) {
    if (from < at || to > snippet.length || to <= from) continue;
    if (from > at) parts.push({ text: snippet.slice(at, from), found: false });
    parts.push({ text: snippet.slice(from, to), found: true });
    at = to;
  }
  if (at < snippet.length) parts.push({ text: snippet.slice(at), found: false });
  return parts;
}
