import { diffArrays } from "diff";

/** More comparisons of lines than these are not made. */
const MAX_COMPARISONS = 2_500;
/** Of many lines those that are the same but for spaces are looked for, as long as no more than these are not. */
const MAX_LINE_EDITS = 1_000;
/** Of longer lines the beginning is compared. */
const MAX_COMPARED_CHARACTERS = 2_000;
/** Lines with a smaller share of common text are two lines. */
const MIN_ALIKE = 0.5;
/** A line that has nearly all of a shorter one is that line with something added, be that much. */
const MIN_CONTAINED = 0.75;
const MIN_ALIKE_CONTAINED = 0.25;

/**
 * Which of the lines that replaced others is which of those, by their words: pairs of indexes, both in order. Of all ways
 * to pair them it is the one with the most text in common; lines that are like none of the others have no pair. One line
 * for one line is a pair whatever they say.
 */
export function matchLines(before: readonly string[], after: readonly string[]): [number, number][] {
  if (before.length === 1 && after.length === 1) return [[0, 0]];
  return before.length * after.length > MAX_COMPARISONS
    ? aroundSameLines(before, after)
    : mostAlike(before, after);
}

/** The same for many lines, as of a block that was moved in: between lines that are the same but for spaces. */
function aroundSameLines(before: readonly string[], after: readonly string[]): [number, number][] {
  const parts = diffArrays(before.map(squeezed), after.map(squeezed), { maxEditLength: MAX_LINE_EDITS });
  if (!parts) return inOrder(before.length, after.length);
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  const others = { rows: 0, columns: 0 };
  const pairOthers = () => {
    const [left, right] = [
      before.slice(row, row + others.rows),
      after.slice(column, column + others.columns),
    ];
    const isFew = left.length * right.length <= MAX_COMPARISONS;
    const own = isFew ? matchLines(left, right) : inOrder(left.length, right.length);
    for (const [from, to] of own) pairs.push([row + from, column + to]);
    row += others.rows;
    column += others.columns;
    others.rows = 0;
    others.columns = 0;
  };
  for (const { removed, added, value } of parts) {
    if (removed) others.rows += value.length;
    else if (added) others.columns += value.length;
    else {
      pairOthers();
      for (const _ of value) pairs.push([row++, column++]);
    }
  }
  pairOthers();
  return pairs;
}

/** A line without its spaces. */
export function squeezed(line: string): string {
  return line.replace(/\s+/g, "");
}

function inOrder(rows: number, columns: number): [number, number][] {
  return Array.from({ length: Math.min(rows, columns) }, (_, at) => [at, at]);
}

function mostAlike(before: readonly string[], after: readonly string[]): [number, number][] {
  const [rows, columns] = [before.length, after.length];
  const bags = after.map(bagOf);
  // How much the lines from here on have in common at best.
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const alike = before.map((line) => {
    const bag = bagOf(line);
    return Float64Array.from(bags, (other) => likeness(bag, other));
  });
  const at = (table: readonly Float64Array[], row: number, column: number) => table[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const paired = at(alike, row, column) > 0 ? at(alike, row, column) + at(best, row + 1, column + 1) : 0;
      const unpaired = Math.max(at(best, row + 1, column), at(best, row, column + 1));
      (best[row] as Float64Array)[column] = Math.max(paired, unpaired);
    }
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const own = at(alike, row, column);
    if (own > 0 && own + at(best, row + 1, column + 1) === at(best, row, column)) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(best, row + 1, column) === at(best, row, column)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** The words of a line and its other characters without spaces, each with how often it is there, and their length in all. */
type Bag = { counts: Map<string, number>; length: number };

const WORDS = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

function bagOf(line: string): Bag {
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of line.slice(0, MAX_COMPARED_CHARACTERS).match(WORDS) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    length += word.length;
  }
  return { counts, length };
}

/** The share of their text that two lines have in common, from 0 to 1; 0 for lines that are no versions of each other. */
function likeness(one: Bag, other: Bag): number {
  const [fewer, more] = one.counts.size < other.counts.size ? [one, other] : [other, one];
  let common = 0;
  for (const [word, count] of fewer.counts)
    common += word.length * Math.min(count, more.counts.get(word) ?? 0);
  const all = one.length + other.length;
  // Two lines of spaces are the same line.
  const share = all === 0 ? 1 : (2 * common) / all;
  const isContained = common >= Math.min(one.length, other.length) * MIN_CONTAINED;
  return share >= MIN_ALIKE || (isContained && share >= MIN_ALIKE_CONTAINED) ? share : 0;
}
