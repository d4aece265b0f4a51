import { diffArrays } from "diff";
import { applyEdits, asInPatch, type Replacement } from "@/lib/tools/applied-edits";
import type { Hunk } from "@/lib/wire/record";
import { type CellEdit, withCellEdited } from "./notebook-edit";

/**
 * The lines that a step shows of a file, beginning with line `from` (1 is the first). `total`: how many the file has,
 * `null` if that is not shown.
 */
export type SeenLines = {
  from: number;
  lines: readonly (string | null)[];
  total: number | null;
  /** The same as one text, where it is the whole file. */
  whole?: string;
};
/** `empty`: no file, or only white space in it, which the client treats alike. */
export type Seen = "absent" | "empty" | SeenLines;

/**
 * A text as all lines of a file: one more than it has newlines. They are made on first use: most of what a log shows of
 * a file is the whole file in its known state.
 */
export function wholeText(text: string): SeenLines {
  const whole = text.replaceAll("\r\n", "\n");
  let made: readonly string[] | undefined;
  const lines = () => (made ??= whole.split("\n"));
  return {
    from: 1,
    get lines() {
      return lines();
    },
    get total() {
      return lines().length;
    },
    whole,
  };
}

/** `remove` lines from index `at` on were replaced. Splices of a step stand from the last to the first. */
export type Splice = { at: number; remove: number; insert: readonly (string | null)[] };

/** A list with `remove` of its items from `at` on replaced: as `toSpliced`, but by more than a call can have arguments. */
export function spliced<Item>(
  list: readonly Item[],
  at: number,
  remove: number,
  insert: readonly Item[],
): Item[] {
  return list.slice(0, at).concat(insert, list.slice(at + remove));
}

/** A step that shows lines beyond these, or says that there are more, only proves that the file exists. */
const MAX_LINES = 1_000_000;

/** Lines that a step shows by number. The numbers come from the log, and may be impossible. */
export function seenLines(from: number, lines: readonly (string | null)[], total: number | null): SeenLines {
  if (from - 1 + lines.length > MAX_LINES) return { from: 1, lines: [], total: null };
  return { from: Math.max(1, from), lines, total: total !== null && total > MAX_LINES ? null : total };
}

/**
 * What is known of a file: its lines, `null` for an unknown one; with `open` more may follow. `whole`: the same as one
 * text, if all of it is known and available.
 */
export type KnownText = {
  exists: boolean | null;
  lines: readonly (string | null)[];
  open: boolean;
  whole?: string | undefined;
};

export const NOTHING_KNOWN: KnownText = { exists: null, lines: [], open: true };
const ABSENT: KnownText = { exists: false, lines: [], open: false };

/** True if every line is known, or that there is no file. */
export function isComplete({ exists, lines, open, whole }: KnownText): boolean {
  return whole !== undefined || (exists !== null && !open && !lines.includes(null));
}

/** Whether a step's view of a file is compatible with what is known of it. */
export function fits(text: KnownText, seen: Seen): boolean {
  if (text.exists === null) return true;
  if (seen === "absent") return !text.exists;
  if (seen === "empty") return !text.exists || text.lines.every((line) => (line ?? "").trim() === "");
  if (!text.exists) return false;
  if (seen.whole !== undefined && text.whole !== undefined) return seen.whole === text.whole;
  const { from, lines, total } = seen;
  const end = Math.max(total ?? 0, from - 1 + lines.length);
  if (text.open ? total !== null && text.lines.length > total : text.lines.length < end) return false;
  if (!text.open && total !== null && text.lines.length !== total) return false;
  return lines.every((line, index) => {
    const known = text.lines[from - 1 + index] ?? null;
    return known === null || line === null || known === line;
  });
}

/** The file with what a step shows filled in. It must fit. */
export function filledIn(text: KnownText, seen: Seen): KnownText {
  if (seen === "absent") return ABSENT;
  // For a file that was there it says no more than that.
  if (seen === "empty") return text.exists ? text : ABSENT;
  const { whole } = seen;
  if (whole !== undefined && whole === text.whole) return text;
  const { from, lines, total } = seen;
  if (whole !== undefined) return { exists: true, lines, open: false, whole };
  const length = Math.max(text.lines.length, total ?? 0, from - 1 + lines.length);
  const filled = Array.from({ length }, (_, index) => text.lines[index] ?? null);
  for (const [index, line] of lines.entries()) filled[from - 1 + index] ??= line;
  return { exists: true, lines: filled, open: text.open && total === null };
}

/** The state of a file of which nothing else is known. */
export function onlySeen(seen: Seen): KnownText {
  return filledIn(NOTHING_KNOWN, seen);
}

/**
 * The file after replacements, one after another; `null` where the log does not say which lines they were in.
 * @param patch the recorded patch, which decides if a replacement can be understood in two ways
 */
export function edited(
  text: KnownText,
  edits: readonly Replacement[],
  patch: readonly Hunk[],
): KnownText | null {
  if (edits.length === 0 && patch.length === 0) return null;
  if (edits[0]?.from === "") return filled(text, edits, patch);
  if (isComplete(text)) {
    const before = text.whole ?? text.lines.join("\n");
    // Without a patch, a text that is found is replaced; if the patch differs, the client wrote something else.
    for (const wholeLines of [true, false]) {
      const after = applyEdits(before, edits, wholeLines);
      if (after === null) break;
      const made = wholeText(after);
      if (isPatched(text.lines.length, made.lines, patch)) return onlySeen(made);
    }
    const patched = patchedLines(text, patch);
    return patched && { ...patched, open: false };
  }
  return patchedLines(text, patch) ?? editedInPart(text, edits);
}

/** An empty or new file after its first content was written: whatever was known of it is replaced. */
function filled(text: KnownText, edits: readonly Replacement[], patch: readonly Hunk[]): KnownText | null {
  for (const wholeLines of [true, false]) {
    const after = applyEdits("", edits, wholeLines);
    if (after === null) break;
    const made = wholeText(after);
    if (!isComplete(text) || isPatched(text.lines.length, made.lines, patch)) return onlySeen(made);
  }
  const patched = patchedLines(text, patch);
  return patched && isComplete(text) ? { ...patched, open: false } : null;
}

/** The notebook after the edit of a cell; `null` if the result is not known. */
export function cellEdited(text: KnownText, cell: CellEdit | null): KnownText | null {
  if (cell === null || !text.exists || !isComplete(text)) return null;
  const after = withCellEdited(text.whole ?? text.lines.join("\n"), cell);
  return after === null ? null : onlySeen(wholeText(after));
}

/** Edits of a partly known file: each must be in adjacent known lines. */
function editedInPart(text: KnownText, edits: readonly Replacement[]): KnownText | null {
  let lines = [...text.lines];
  for (const edit of edits) {
    const breaks = (one: string) => one.split("\n").length;
    // The unknown lines may contain more of them.
    if (edit.from === "" || (edit.all && (edit.from.includes("\n") || breaks(edit.to) > 1))) return null;
    const runs = knownRuns(lines);
    const found = runs.filter(({ text: run }) => run.includes(edit.from));
    if (found.length === 0 || (found.length > 1 && !edit.all)) return null;
    for (const { at, count, text: run } of found.toReversed()) {
      const after = applyEdits(run, [edit], true) as string;
      lines = spliced<string | null>(lines, at, count, after.split("\n"));
    }
  }
  return { exists: true, lines, open: text.open };
}

/** Runs of adjacent known lines, as text. */
function knownRuns(lines: readonly (string | null)[]): { at: number; count: number; text: string }[] {
  const runs: { at: number; count: number; text: string }[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === null) continue;
    let end = at;
    while (end < lines.length && lines[end] !== null) end += 1;
    runs.push({ at, count: end - at, text: lines.slice(at, end).join("\n") });
    at = end;
  }
  return runs;
}

/**
 * Whether a text can be the result of a patch on a text with this many lines: a patch has no line for the newline at
 * the end of a file.
 */
function isPatched(before: number, lines: readonly (string | null)[], patch: readonly Hunk[]): boolean {
  if (patch.length === 0) return true;
  const grown = patch.reduce((sum, hunk) => sum + hunk.newLines - hunk.oldLines, 0);
  if (Math.abs(lines.length - before - grown) > 1) return false;
  return patch.every(({ newStart, lines: marked }) =>
    marked
      .filter((line) => line[0] === " " || line[0] === "+")
      .every((line, index) => {
        const made = lines[Math.max(0, newStart - 1) + index];
        return typeof made === "string" && asInPatch(made) === asInPatch(line.slice(1));
      }),
  );
}

/** The file after a recorded patch, with the lines that this shows; `null` where it does not fit or there is none. */
function patchedLines(text: KnownText, patch: readonly Hunk[]): KnownText | null {
  if (patch.length === 0) return null;
  let lines = [...text.lines];
  for (const { oldStart, lines: marked } of patch.toReversed()) {
    const kept = marked.filter((line) => line[0] !== "\\");
    const before = kept.filter((line) => line[0] !== "+").map((line) => line.slice(1));
    const at = Math.max(0, oldStart - 1);
    if (at + before.length > MAX_LINES) return null;
    while (text.open && lines.length < at + before.length) lines.push(null);
    const there = lines.slice(at, at + before.length);
    const isThere =
      there.length === before.length &&
      there.every((line, index) => line === null || asInPatch(line) === asInPatch(before[index] as string));
    if (!isThere) return null;
    let next = at;
    const after = kept.flatMap((line) => {
      if (line[0] === "+") return [line.slice(1)];
      const known = lines[next++] ?? line.slice(1);
      return line[0] === "-" ? [] : [known];
    });
    lines = spliced(lines, at, before.length, after);
  }
  return { exists: true, lines, open: text.open };
}

/**
 * If more lines differ, all of them are replaced: this depends on the texts alone, so that blame is the same each time.
 */
const MAX_LINE_EDITS = 1_000;

/** The splices that turn one state of a file into another, line by line, from the last change to the first. */
export function splicesBetween(
  before: readonly (string | null)[],
  after: readonly (string | null)[],
): Splice[] {
  if (before === after) return [];
  let head = 0;
  const least = Math.min(before.length, after.length);
  while (head < least && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const old = before.slice(head, before.length - tail);
  const made = after.slice(head, after.length - tail);
  if (old.length === 0 && made.length === 0) return [];
  const kept = keptLines(old, made);
  if (!kept) return [{ at: head, remove: old.length, insert: made }];
  const splices: Splice[] = [];
  let [from, to] = [0, 0];
  // Behind the last kept line stand the ends of both.
  for (const [oldAt, madeAt] of [...kept, [old.length, made.length] as const]) {
    if (oldAt > from || madeAt > to)
      splices.push({ at: head + from, remove: oldAt - from, insert: made.slice(to, madeAt) });
    from = oldAt + 1;
    to = madeAt + 1;
  }
  return splices.toReversed();
}

/**
 * Which lines of one text are in the other one too, in the same order: pairs of their indexes. `null` where none is, or
 * where more lines differ than are compared.
 */
function keptLines(
  old: readonly (string | null)[],
  made: readonly (string | null)[],
): (readonly [number, number])[] | null {
  // Nothing is kept of two lines that differ.
  if (Math.min(old.length, made.length) === 0 || Math.max(old.length, made.length) === 1) return null;
  // A line that only one of them has is no part of what they share: of a file that was written anew, few are left.
  const [inOld, inMade] = [indexesIn(made, old), indexesIn(old, made)];
  const differing = old.length - inOld.length + (made.length - inMade.length);
  if (inOld.length === 0 || differing > MAX_LINE_EDITS) return null;
  const parts = diffArrays(
    inOld.map((at) => old[at] as string | null),
    inMade.map((at) => made[at] as string | null),
    { maxEditLength: MAX_LINE_EDITS - differing },
  );
  if (!parts) return null;
  const kept: (readonly [number, number])[] = [];
  let [oldAt, madeAt] = [0, 0];
  for (const { added, removed, value } of parts) {
    if (!added && !removed)
      for (let nth = 0; nth < value.length; nth++)
        kept.push([inOld[oldAt + nth] as number, inMade[madeAt + nth] as number]);
    if (!added) oldAt += value.length;
    if (!removed) madeAt += value.length;
  }
  return kept;
}

/** The indexes of those lines that another text has as well. */
function indexesIn(other: readonly (string | null)[], lines: readonly (string | null)[]): number[] {
  const there = new Set(other);
  return lines.flatMap((line, at) => (there.has(line) ? [at] : []));
}
