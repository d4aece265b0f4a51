/** A line of a diff. Numbers are `null` on the side that has no such line, and where they are not known. */
export type DiffLine =
  | { kind: "hunk"; text: string; hunk: number }
  /** Lines of the original that no hunk holds: `count` of them from `oldLine` on. */
  | { kind: "gap"; oldLine: number; newLine: number; count: number }
  | CodeDiffLine
  | { kind: "note"; text: string };

export type CodeDiffLine = {
  kind: "context" | "added" | "removed";
  text: string;
  oldLine: number | null;
  newLine: number | null;
  /** Its counterpart on the other side, for the words that differ. */
  pair: string | null;
  /** Place in the text of its side (`sideTexts`), for its syntax; -1 outside of the hunks. */
  sideLine: number;
};

/** The lines of one kind that stand together from here on. */
export function runOf(lines: readonly DiffLine[], from: number, kind: "removed" | "added"): CodeDiffLine[] {
  const run: CodeDiffLine[] = [];
  for (let at = from; ; at++) {
    const line = lines[at];
    if (line?.kind !== kind) return run;
    run.push(line);
  }
}
