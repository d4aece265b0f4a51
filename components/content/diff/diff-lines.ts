import type { Hunk } from "@/lib/wire/record";
import { type DiffLine, runOf } from "./diff-line";
import { withoutSpaceChanges } from "./without-space-changes";

/** A patch's hunks as lines, each removed line paired with the one put in its place. */
export function diffLines(
  hunks: readonly Hunk[],
  numbersKnown: boolean,
  ignoreSpace = false,
  originalLines: number | null = null,
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
    lines.push(...(ignoreSpace ? withoutSpaceChanges(own) : own));
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
        return { ...base, kind: "added", newLine: numbersKnown ? newLine++ : null, sideLine: sides.new++ };
      case "-":
        return { ...base, kind: "removed", oldLine: numbersKnown ? oldLine++ : null, sideLine: sides.old++ };
      case "\\":
        return { kind: "note", text: text.trim() };
      default:
        sides.old++;
        return {
          ...base,
          kind: "context",
          oldLine: numbersKnown ? oldLine++ : null,
          newLine: numbersKnown ? newLine++ : null,
          sideLine: sides.new++,
        };
    }
  });
}

/** The old and the new text that the hunks hold, for highlighting; `sideLine` counts their lines. */
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

/** In a run of removed lines followed by added ones, the first belongs to the first, and so on. */
function pairUp(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    for (let i = 0; i < Math.min(removed.length, added.length); i++) {
      const [before, after] = [removed[i], added[i]];
      if (!before || !after) continue;
      before.pair = after.text;
      after.pair = before.text;
    }
    at += Math.max(1, removed.length + added.length);
  }
}
