import { type KeyboardEvent, type RefObject, type SyntheticEvent, useState } from "react";
import { applyCompletion, type Completion, completeQuery, type Vocabulary } from "./search-completion";

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
