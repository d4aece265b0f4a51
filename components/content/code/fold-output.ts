import { textLines } from "@/lib/format/text";
/** Lines of a long output that are shown before the bar, and after it. */
export const HEAD_LINES = 60;
const TAIL_LINES = 20;
/** A bar for fewer lines would save nothing. */
const MIN_LEFT_OUT = 20;

/** The visible part of an output: the first `head` of its lines, and `tail` after those that are left out. */
export type FoldedOutput = {
  /** The lines that are here. */
  lines: readonly string[];
  head: number;
  tail: readonly string[];
  leftOut: number;
  /** Lines and characters of the whole output. */
  total: number;
  characters: number;
};

/** Folds a long output between its head and its tail. `rest`: it goes on after `text`, and ends with `tail`. */
export function foldOutput(
  text: string,
  rest: { tail: string; lines: number | null; characters: number } | null,
): FoldedOutput {
  const lines = textLines(text);
  const here = { lines, total: lines.length, characters: text.length };
  if (rest === null) {
    const leftOut = lines.length - HEAD_LINES - TAIL_LINES;
    if (leftOut < MIN_LEFT_OUT) return { ...here, head: lines.length, tail: [], leftOut: 0 };
    return { ...here, head: HEAD_LINES, tail: lines.slice(-TAIL_LINES), leftOut };
  }
  const tail = textLines(rest.tail).slice(-TAIL_LINES);
  // The last line that is here is cut, unless it is the only one.
  const head = Math.max(1, Math.min(HEAD_LINES, lines.length - 1));
  const total = Math.max(rest.lines ?? 0, head + tail.length + 1);
  return { lines, head, tail, leftOut: total - head - tail.length, total, characters: rest.characters };
}
