import { SEARCH_FILTERS } from "./search-filters";
import { queryTokens } from "./search-tokens";

/** A way to go on with the query: `text` takes the place from `from` to `to`. */
export type Completion = { text: string; from: number; to: number; aside: string | null };

/** Values that this machine's sessions have, by filter: project names, branches, models. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

const MOST = 6;

/**
 * What the word before the caret may become: a filter's name from its first letters, or one of its
 * values behind the colon. Empty where nothing fits, or where it is already whole.
 */
export function completeQuery(query: string, caret: number, vocabulary: Vocabulary): Completion[] {
  const token = queryTokens(query).find(({ from, to }) => from < caret && caret <= to);
  if (!token || token.kind === "phrase" || token.kind === "regex") return [];
  const from = token.from + (token.negated ? 1 : 0);
  const typed = query.slice(from, caret);
  const to = token.to;
  if (token.kind === "filter" && token.name !== null && caret > from + token.name.length) {
    const filter = SEARCH_FILTERS.find(({ name }) => name === token.name);
    if (!filter) return [];
    const part = typed
      .slice(filter.name.length + 1)
      .replace(/^"/, "")
      .toLowerCase();
    return rank([...(vocabulary[filter.name] ?? []), ...filter.values], part).map((value) => ({
      text: `${filter.name}:${quoteValue(value)} `,
      from,
      to,
      aside: null,
    }));
  }
  const part = typed.toLowerCase();
  return SEARCH_FILTERS.filter(({ name }) => name.startsWith(part))
    .slice(0, MOST)
    .map(({ name, does }) => ({ text: `${name}:`, from, to, aside: does }));
}

/** The query with a completion put in, and where the caret stands then. */
export function applyCompletion(
  query: string,
  { text, from, to }: Completion,
): { query: string; caret: number } {
  const behind = query.slice(to);
  const rest = text.endsWith(" ") ? behind.trimStart() : behind;
  return { query: query.slice(0, from) + text + rest, caret: from + text.length };
}

/** Those that begin with the part first, then those that contain it; not the one that is it already. */
function rank(values: readonly string[], part: string): string[] {
  const all = [...new Set(values)].map((value) => ({ value, at: value.toLowerCase().indexOf(part) }));
  return all
    .filter(({ value, at }) => at >= 0 && value.toLowerCase() !== part)
    .sort((left, right) => Number(left.at > 0) - Number(right.at > 0))
    .slice(0, MOST)
    .map(({ value }) => value);
}

function quoteValue(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value;
}
