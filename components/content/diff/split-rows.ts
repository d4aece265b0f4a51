import { type CodeDiffLine, type DiffLine, runOf } from "./diff-line";

/** A row of a diff that lies side by side: one line of each side, or what goes across both. */
export type SplitRow =
  | { kind: "pair"; before: CodeDiffLine | null; after: CodeDiffLine | null }
  | { kind: "across"; line: Exclude<DiffLine, CodeDiffLine> };

/** Lines side by side: what did not change stands on both, a removed line beside the one put in its place. */
export function splitRows(lines: readonly DiffLine[]): SplitRow[] {
  const rows: SplitRow[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    const longest = Math.max(removed.length, added.length);
    for (let i = 0; i < longest; i++) {
      rows.push({ kind: "pair", before: removed[i] ?? null, after: added[i] ?? null });
    }
    at += removed.length + added.length;
    const line = longest === 0 ? lines[at++] : undefined;
    if (!line) continue;
    if (line.kind === "context") rows.push({ kind: "pair", before: line, after: line });
    else if (!("sideLine" in line)) rows.push({ kind: "across", line });
  }
  return rows;
}
