import { type KeyboardEvent, type RefObject, type SyntheticEvent, useState } from "react";
import { FILTER_VALUES } from "@/lib/query/check-filter";
import type { FilterName } from "@/lib/query/query";
import { TOOL_NAMES } from "@/lib/tools/tools";
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

/** A filter of the query language, as the field offers it. */
export type SearchFilter = {
  name: FilterName;
  /** What it narrows to, in a few words. */
  does: string;
  /** Values that are always the same; others come from what there is. */
  values: readonly string[];
};

/** The filters in the order in which they are offered; what they mean is lib/query's to say. */
export const SEARCH_FILTERS: readonly SearchFilter[] = [
  { name: "in", does: "where it stands", values: FILTER_VALUES.in },
  {
    name: "tool",
    does: "a tool’s input and output",
    values: [...TOOL_NAMES, "mcp__*"],
  },
  { name: "is", does: "what went wrong, or still runs", values: FILTER_VALUES.is },
  { name: "has", does: "what a session holds", values: FILTER_VALUES.has },
  { name: "file", does: "a path, * and ** as in a shell", values: [] },
  { name: "project", does: "a project’s name or path", values: [] },
  { name: "branch", does: "the git branch, * allowed", values: [] },
  { name: "model", does: "a part of the model’s name", values: [] },
  { name: "agent", does: "inside agents of this type", values: ["Explore", "Plan", "general-purpose"] },
  { name: "after", does: "a date, or 7d ago and later", values: ["1d", "7d", "30d", "2026-01-01"] },
  { name: "before", does: "a date, or 7d ago and earlier", values: ["1d", "7d", "30d", "2026-01-01"] },
  { name: "tokens", does: "sessions with more or fewer tokens", values: [">5k", ">50k", "<1k"] },
];

/** The state of completing a query in a text field. Put `onSelect` and `onKeyDown` on the field. */
export type FieldCompletion = {
  offers: Completion[];
  accept: (completion: Completion) => void;
  onSelect: (event: SyntheticEvent<HTMLInputElement>) => void;
  /** Tells whether it took the key: Tab accepts the first offer, Escape sends the offers away. */
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => boolean;
};

/** Follows the caret and offers ways to go on. */
export function useSearchCompletion(
  query: string,
  setQuery: (query: string) => void,
  field: RefObject<HTMLInputElement | null>,
  vocabulary: Vocabulary,
): FieldCompletion {
  const [caret, setCaret] = useState(query.length);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const offers = dismissed === query ? [] : completeQuery(query, Math.min(caret, query.length), vocabulary);
  const accept = (completion: Completion) => {
    const next = applyCompletion(query, completion);
    setQuery(next.query);
    setCaret(next.caret);
    // Once the field has its new value.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  return {
    offers,
    accept,
    onSelect: ({ currentTarget }) => setCaret(currentTarget.selectionStart ?? query.length),
    onKeyDown: (event) => {
      const [first] = offers;
      if (!first || event.nativeEvent.isComposing) return false;
      if (event.key === "Tab" && !event.shiftKey) accept(first);
      else if (event.key === "Escape") setDismissed(query);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
