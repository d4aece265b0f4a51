import type { Range } from "./find-in-text";

const BEFORE = 60;
const LENGTH = 240;

/** The part of a text around its first find, on one line, with the finds in it. Without a find its beginning. */
export function toSnippet(text: string, ranges: readonly Range[]): { snippet: string; ranges: Range[] } {
  const first = ranges[0] ?? [0, 0];
  let from = first[0] <= BEFORE ? 0 : first[0] - BEFORE;
  if (isLowSurrogate(text, from)) from -= 1;
  let to = Math.min(text.length, Math.max(from + LENGTH, Math.min(first[1], from + 2 * LENGTH)));
  if (isLowSurrogate(text, to)) to += 1;
  // One character for one, so that the ranges stay right.
  const snippet = text
    .slice(from, to)
    .replace(/[\s\0]/g, " ")
    .replace(/\p{Surrogate}/gu, "\ufffd");
  const inside = ranges.filter((range) => range[0] >= from && range[0] < to && range[1] > range[0]);
  return { snippet, ranges: inside.map((range) => [range[0] - from, Math.min(range[1], to) - from]) };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
