import { type CodeDiffLine, type DiffLine, runOf } from "./diff-line";

/** Pairs that differ in spaces alone become lines that did not change, in their new text. */
export function withoutSpaceChanges(lines: readonly DiffLine[]): DiffLine[] {
  const kept: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    if (removed.length + added.length === 0) {
      const line = lines[at++];
      if (line) kept.push(line);
      continue;
    }
    at += removed.length + added.length;
    let before: CodeDiffLine[] = [];
    let after: CodeDiffLine[] = [];
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [old, now] = [removed[i], added[i]];
      if (old && now && squeezed(old.text) === squeezed(now.text)) {
        kept.push(...before, ...after, { ...now, kind: "context", oldLine: old.oldLine, pair: null });
        before = [];
        after = [];
        continue;
      }
      if (old) before.push(old);
      if (now) after.push(now);
    }
    kept.push(...before, ...after);
  }
  return kept;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
