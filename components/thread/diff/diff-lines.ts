import type { Hunk } from "@/lib/wire/record";
import type { Mark } from "../code/line-pieces";
import { wordMarks } from "./word-marks";

/** A line of a diff. Numbers are `null` on the side that has no such line, and where they are not known. */
export type DiffLine =
  | { kind: "hunk"; text: string }
  | {
      kind: "context" | "added" | "removed";
      text: string;
      oldLine: number | null;
      newLine: number | null;
      marks: Mark[];
      /** Place in the text of its side (`sideTexts`), for its syntax. */
      sideLine: number;
    }
  | { kind: "note"; text: string };

/** A patch's hunks as lines, words marked in each pair of a removed line and the one put in its place. */
export function diffLines(hunks: readonly Hunk[], numbersKnown: boolean): DiffLine[] {
  const lines: DiffLine[] = [];
  let oldSide = 0;
  let newSide = 0;
  for (const hunk of hunks) {
    if (numbersKnown) lines.push({ kind: "hunk", text: `@@ ${hunk.newStart},${hunk.newLines} @@` });
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    const from = lines.length;
    for (const raw of hunk.lines) {
      const text = raw.slice(1);
      const sign = raw[0];
      if (sign === "+") {
        const number = numbersKnown ? newLine++ : null;
        lines.push({ kind: "added", text, oldLine: null, newLine: number, marks: [], sideLine: newSide++ });
      } else if (sign === "-") {
        const number = numbersKnown ? oldLine++ : null;
        lines.push({ kind: "removed", text, oldLine: number, newLine: null, marks: [], sideLine: oldSide++ });
      } else if (sign === "\\") {
        lines.push({ kind: "note", text: text.trim() });
      } else {
        lines.push({
          kind: "context",
          text,
          oldLine: numbersKnown ? oldLine++ : null,
          newLine: numbersKnown ? newLine++ : null,
          marks: [],
          sideLine: newSide++,
        });
        oldSide++;
      }
    }
    markPairs(lines, from);
  }
  return lines;
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
function markPairs(lines: DiffLine[], from: number): void {
  for (let at = from; at < lines.length; ) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    for (let i = 0; i < Math.min(removed.length, added.length); i++) {
      const [before, after] = [removed[i], added[i]];
      if (!before || !after || !("marks" in before) || !("marks" in after)) continue;
      const marks = wordMarks(before.text, after.text);
      before.marks = marks.removed;
      after.marks = marks.added;
    }
    at += Math.max(1, removed.length + added.length);
  }
}

function runOf(lines: readonly DiffLine[], from: number, kind: "removed" | "added"): DiffLine[] {
  let to = from;
  while (lines[to]?.kind === kind) to++;
  return lines.slice(from, to);
}
