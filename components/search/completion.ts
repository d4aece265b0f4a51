import { type KeyboardEvent, type RefObject, type SyntheticEvent, useState } from "react";
import { isForInputMethod } from "@/lib/client/key-events";
import { FILTER_NAMES, type FilterName, filterEntry } from "@/lib/query/filters";
import { formatFilter } from "@/lib/query/write-query";
import { TOOL_NAMES } from "@/lib/tools/tools";
import { queryTokens } from "./search-tokens";

/** A completion of the query: `text` replaces the part from `from` to `to`. */
export type Completion = { text: string; from: number; to: number; aside: string | null };

/** Values from this machine's sessions, by filter: project names, branches, models. */
export type Vocabulary = Readonly<Partial<Record<FilterName, readonly string[]>>>;

const MAX_COMPLETIONS = 6;

/**
 * Completions of the word before the caret: a filter's name from its first letters, or one of its values after the
 * colon. Empty if nothing fits, or if the word is already complete.
 */
export function completeQuery(query: string, caret: number, vocabulary: Vocabulary): Completion[] {
  const token = queryTokens(query).find(({ from, to }) => from < caret && caret <= to);
  if (!token || token.kind === "phrase" || token.kind === "regex") return [];
  const from = token.from + (token.negated ? 1 : 0);
  const typed = query.slice(from, caret);
  const to = token.to;
  if (token.kind === "filter" && token.name !== null && caret > from + token.name.length) {
    const { name } = token;
    const part = typed
      .slice(name.length + 1)
      .replace(/^"/, "")
      .toLowerCase();
    // Places in a session first: most projects are named by their own filter.
    const projects = name === "in" ? (vocabulary.project ?? []) : [];
    return rank([...(vocabulary[name] ?? []), ...fixedValues(name), ...projects], part).map((value) => ({
      text: `${formatFilter(name, value)} `,
      from,
      to,
      aside: null,
    }));
  }
  const part = typed.toLowerCase();
  return FILTER_NAMES.filter((name) => name.startsWith(part))
    .slice(0, MAX_COMPLETIONS)
    .map((name) => ({ text: `${name}:`, from, to, aside: filterEntry(name).does }));
}

/** The query with a completion inserted, and the new position of the caret. */
export function applyCompletion(
  query: string,
  { text, from, to }: Completion,
): { query: string; caret: number } {
  const behind = query.slice(to);
  const rest = text.endsWith(" ") ? behind.trimStart() : behind;
  return { query: query.slice(0, from) + text + rest, caret: from + text.length };
}

/** Values that begin with the part first, then those that contain it; not the one that equals it. */
function rank(values: readonly string[], part: string): string[] {
  const all = [...new Set(values)].map((value) => ({ value, at: value.toLowerCase().indexOf(part) }));
  return all
    .filter(({ value, at }) => at >= 0 && value.toLowerCase() !== part)
    .sort((left, right) => Number(left.at > 0) - Number(right.at > 0))
    .slice(0, MAX_COMPLETIONS)
    .map(({ value }) => value);
}

/** The fixed values of a filter. The query language knows no tools; the page does. */
function fixedValues(name: FilterName): readonly string[] {
  const { values } = filterEntry(name);
  return name === "tool" ? [...TOOL_NAMES, ...values] : values;
}

/** The state of completing a query in a text field. Put `onSelect` and `onKeyDown` on the field. */
export type FieldCompletion = {
  offers: Completion[];
  accept: (completion: Completion) => void;
  onSelect: (event: SyntheticEvent<HTMLInputElement>) => void;
  /** Returns whether it handled the key: Tab accepts the first completion, Escape dismisses them. */
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => boolean;
};

/** Follows the caret and offers completions. */
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
    // When the field has its new value.
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
      if (!first || isForInputMethod(event.nativeEvent)) return false;
      if (event.key === "Tab" && !event.shiftKey) accept(first);
      else if (event.key === "Escape") setDismissed(query);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
