import { diffWordsWithSpace } from "diff";
import type { Hunk } from "@/lib/wire/record";
import { matchLines, squeezed } from "./match-lines";

/** A line of a diff. A line number is `null` on a side that lacks the line, or when numbers are unknown. */
export type DiffLine =
  | { kind: "hunk"; text: string; hunk: number }
  /** Unchanged lines of the original between hunks: `count` of them, starting at `oldLine`. */
  | { kind: "gap"; oldLine: number; newLine: number; count: number }
  | CodeDiffLine
  | { kind: "note"; text: string };

export type CodeDiffLine = {
  kind: "context" | "added" | "removed";
  text: string;
  oldLine: number | null;
  newLine: number | null;
  /** The text of its counterpart on the other side, for marking the words that differ. */
  pair: string | null;
  /** Index of the line in its side's text (`sideTexts`), for highlighting; -1 outside the hunks. */
  sideLine: number;
};

/** Stands in the place of a diff without lines, where a file was changed all the same. */
export const LINES_UNKNOWN = "The log does not hold the lines that were taken out.";

/** The consecutive lines of one kind that start at `from`. */
function runOf(lines: readonly DiffLine[], from: number, kind: "removed" | "added"): CodeDiffLine[] {
  const run: CodeDiffLine[] = [];
  for (let at = from; ; at++) {
    const line = lines[at];
    if (line?.kind !== kind) return run;
    run.push(line);
  }
}

/** A change: the removed lines, a note about the last of them, and the lines that replaced them. */
function changeAt(lines: readonly DiffLine[], at: number) {
  const removed = runOf(lines, at, "removed");
  const behind = at + removed.length;
  let from = behind;
  // `\ No newline at end of file` is between the two where the file's last line was changed.
  while (removed.length > 0 && lines[from]?.kind === "note") from += 1;
  const added = runOf(lines, from, "added");
  const notes = added.length > 0 ? lines.slice(behind, from) : [];
  return { removed, notes, added, end: behind + notes.length + added.length };
}

/**
 * The lines of a patch's hunks, each removed line paired with the line that replaced it, if there is one. `originalLines`:
 * how many the file had before, where that is known; then the gaps between hunks are lines as well.
 */
export function diffLines(
  hunks: readonly Hunk[],
  {
    numbersKnown,
    ignoreSpace = false,
    originalLines = null,
  }: { numbersKnown: boolean; ignoreSpace?: boolean; originalLines?: number | null },
): DiffLine[] {
  const lines: DiffLine[] = [];
  const sides = { old: 0, new: 0 };
  const known = numbersKnown && originalLines !== null;
  let oldEnd = 1;
  let newEnd = 1;
  for (const [index, hunk] of hunks.entries()) {
    const gap = hunk.oldStart - oldEnd;
    if (known && gap > 0) lines.push({ kind: "gap", oldLine: oldEnd, newLine: newEnd, count: gap });
    if (numbersKnown)
      lines.push({ kind: "hunk", text: `@@ ${hunk.newStart},${hunk.newLines} @@`, hunk: index + 1 });
    const own = hunkLines(hunk, numbersKnown, sides);
    pairUp(own);
    for (const line of ignoreSpace ? withoutSpaceChanges(own) : own) lines.push(line);
    oldEnd = hunk.oldStart + hunk.oldLines;
    newEnd = hunk.newStart + hunk.newLines;
  }
  const rest = (originalLines ?? 0) - oldEnd + 1;
  if (known && hunks.length > 0 && rest > 0)
    lines.push({ kind: "gap", oldLine: oldEnd, newLine: newEnd, count: rest });
  return lines;
}

function hunkLines(hunk: Hunk, numbersKnown: boolean, sides: { old: number; new: number }): DiffLine[] {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return hunk.lines.map((raw): DiffLine => {
    const text = raw.slice(1);
    const base = { text, oldLine: null, newLine: null, pair: null };
    switch (raw[0]) {
      case "+":
        return { kind: "added", ...base, newLine: numbersKnown ? newLine++ : null, sideLine: sides.new++ };
      case "-":
        return { kind: "removed", ...base, oldLine: numbersKnown ? oldLine++ : null, sideLine: sides.old++ };
      case "\\":
        return { kind: "note", text: text.trim() };
      default:
        sides.old++;
        return {
          kind: "context",
          ...base,
          oldLine: numbersKnown ? oldLine++ : null,
          newLine: numbersKnown ? newLine++ : null,
          sideLine: sides.new++,
        };
    }
  });
}

/** The old and new text of all hunks, for highlighting; `sideLine` is an index into these lines. */
export function sideTexts(hunks: readonly Hunk[]): { before: string; after: string } {
  const before: string[] = [];
  const after: string[] = [];
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    const text = line.slice(1);
    if (line[0] === "\\") continue;
    if (line[0] !== "+") before.push(text);
    if (line[0] !== "-") after.push(text);
  }
  return { before: before.join("\n"), after: after.join("\n") };
}

/** Pairs the lines of each change with those that replaced them. */
function pairUp(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const { removed, added, end } = changeAt(lines, at);
    const texts = (of: readonly CodeDiffLine[]) => of.map(({ text }) => text);
    for (const [from, to] of matchLines(texts(removed), texts(added))) {
      const [before, after] = [removed[from], added[to]];
      if (!before || !after) continue;
      before.pair = after.text;
      after.pair = before.text;
    }
    at = Math.max(at + 1, end);
  }
}

/** A line and what replaced it beside each other, and between such pairs the others, one to one in order. */
type ChangeRow = { before: CodeDiffLine | null; after: CodeDiffLine | null };

/** Pairs are in the same order on both sides. */
function changeRows(removed: readonly CodeDiffLine[], added: readonly CodeDiffLine[]): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (let [from, to] = [0, 0]; from < removed.length || to < added.length; ) {
    const others = [othersFrom(removed, from), othersFrom(added, to)] as const;
    for (let i = 0; i < Math.max(others[0].length, others[1].length); i++)
      rows.push({ before: others[0][i] ?? null, after: others[1][i] ?? null });
    from += others[0].length;
    to += others[1].length;
    const [before, after] = [removed[from] ?? null, added[to] ?? null];
    if (before || after) rows.push({ before, after });
    from += 1;
    to += 1;
  }
  return rows;
}

/** The lines without a pair from one on. */
function othersFrom(lines: readonly CodeDiffLine[], from: number): readonly CodeDiffLine[] {
  let end = from;
  while (lines[end]?.pair === null) end += 1;
  return lines.slice(from, end);
}

/** Turns pairs that differ only in whitespace into context lines, with their new text. */
function withoutSpaceChanges(lines: readonly DiffLine[]): DiffLine[] {
  const kept: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const { removed, notes, added, end } = changeAt(lines, at);
    if (removed.length + added.length === 0) {
      const line = lines[at++];
      if (line) kept.push(line);
      continue;
    }
    at = end;
    let before: CodeDiffLine[] = [];
    let after: CodeDiffLine[] = [];
    for (const { before: old, after: now } of changeRows(removed, added)) {
      if (old && now && squeezed(old.text) === squeezed(now.text)) {
        for (const line of [...before, ...after]) kept.push(line);
        kept.push({ ...now, kind: "context", oldLine: old.oldLine, pair: null });
        before = [];
        after = [];
        continue;
      }
      if (old) before.push(old);
      if (now) after.push(now);
    }
    // A line's newline is space too.
    for (const line of [...before, ...(before.length > 0 ? notes : []), ...after]) kept.push(line);
  }
  return kept;
}

/** A row of a split diff: one line per side, or one line across both. */
export type SplitRow =
  | { kind: "pair"; before: CodeDiffLine | null; after: CodeDiffLine | null }
  | { kind: "across"; line: Exclude<DiffLine, CodeDiffLine> };

/** Arranges a diff side by side: context lines appear on both sides, removed lines beside their replacements. */
export function splitRows(lines: readonly DiffLine[]): SplitRow[] {
  const rows: SplitRow[] = [];
  for (let at = 0; at < lines.length; ) {
    const { removed, notes, added, end } = changeAt(lines, at);
    const change = changeRows(removed, added);
    for (const row of change) rows.push({ kind: "pair", ...row });
    at = end;
    const others = change.length === 0 ? lines.slice(at, ++at) : notes;
    for (const line of others) {
      if (line.kind === "context") rows.push({ kind: "pair", before: line, after: line });
      else if (!("sideLine" in line)) rows.push({ kind: "across", line });
    }
  }
  return rows;
}

/** Longer lines get no word marks. */
const MAX_LINE_CHARACTERS = 2_000;
/**
 * Neither do lines that differ in more words: a count, since by time a busy machine would mark other lines than a quiet
 * one.
 */
const MAX_WORD_EDITS = 200;
/** Pairs with a smaller share of common text are treated as two unrelated lines. */
const MIN_COMMON_SHARE = 0.3;

/** A half-open range of characters to mark. Ranges are in order and don't overlap. */
export type Mark = { from: number; to: number };

type WordMarks = { removed: Mark[]; added: Mark[] };

const NONE: WordMarks = { removed: [], added: [] };

/** The words that differ between a removed line and its replacement; none if the lines are too different. */
export function wordMarks(removed: string, added: string): WordMarks {
  if (removed.length > MAX_LINE_CHARACTERS || added.length > MAX_LINE_CHARACTERS) return NONE;
  const parts = diffWordsWithSpace(removed, added, { maxEditLength: MAX_WORD_EDITS });
  if (!parts) return NONE;
  const marks: WordMarks = { removed: [], added: [] };
  let inRemoved = 0;
  let inAdded = 0;
  let shared = 0;
  for (const { value, added: isAdded, removed: isRemoved } of parts) {
    if (isRemoved) marks.removed.push({ from: inRemoved, to: inRemoved + value.length });
    else if (isAdded) marks.added.push({ from: inAdded, to: inAdded + value.length });
    else shared += value.trim().length;
    if (!isAdded) inRemoved += value.length;
    if (!isRemoved) inAdded += value.length;
  }
  const shorter = Math.min(removed.trim().length, added.trim().length);
  return shared < shorter * MIN_COMMON_SHARE ? NONE : marks;
}
