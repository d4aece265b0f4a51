import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/**
 * The rows of a virtual list that are drawn: as usual, and one that stays in the page wherever the list is scrolled, so
 * that it never loses the focus. In order, since screen readers read them so.
 * @param kept its index; -1 for none
 */
export function rangeWith(range: Range, kept: number): number[] {
  const shown = defaultRangeExtractor(range);
  if (kept < 0 || kept >= range.count || shown.includes(kept)) return shown;
  return [...shown, kept].sort((a, b) => a - b);
}
