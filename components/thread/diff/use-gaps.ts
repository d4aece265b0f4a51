import { useCallback, useMemo, useState } from "react";
import type { CodeDiffLine, DiffLine } from "./diff-lines";

const STEP_LINES = 20;

type Opened = { top: number; bottom: number };

/** Lines around the hunks that were asked for, read from the recorded original; the rest stays a gap. */
export function useGaps(
  lines: readonly DiffLine[],
  original: readonly string[] | null,
): { lines: readonly DiffLine[]; open: (gap: number, from: "top" | "bottom" | "all") => void } {
  const [opened, setOpened] = useState<ReadonlyMap<number, Opened>>(new Map());
  const open = useCallback((gap: number, from: "top" | "bottom" | "all") => {
    setOpened((old) => {
      const { top, bottom } = old.get(gap) ?? { top: 0, bottom: 0 };
      const next = {
        top: from === "all" ? Number.POSITIVE_INFINITY : top + (from === "top" ? STEP_LINES : 0),
        bottom: bottom + (from === "bottom" ? STEP_LINES : 0),
      };
      return new Map(old).set(gap, next);
    });
  }, []);
  const shown = useMemo(() => {
    if (!original || opened.size === 0) return lines;
    return lines.flatMap((line) => (line.kind === "gap" ? opening(line, original, opened) : [line]));
  }, [lines, original, opened]);
  return { lines: shown, open };
}

/** A gap keeps the number of its first line as its name, whatever of it is open. */
function opening(
  gap: Extract<DiffLine, { kind: "gap" }>,
  original: readonly string[],
  opened: ReadonlyMap<number, Opened>,
): DiffLine[] {
  const { top, bottom } = opened.get(gap.oldLine) ?? { top: 0, bottom: 0 };
  const above = Math.min(gap.count, top);
  const below = Math.min(gap.count - above, bottom);
  const line = (offset: number): CodeDiffLine => ({
    kind: "context",
    text: original[gap.oldLine - 1 + offset] ?? "",
    oldLine: gap.oldLine + offset,
    newLine: gap.newLine + offset,
    pair: null,
    sideLine: -1,
  });
  const left = gap.count - above - below;
  return [
    ...Array.from({ length: above }, (_, offset) => line(offset)),
    ...(left > 0 ? [{ ...gap, count: left }] : []),
    ...Array.from({ length: below }, (_, offset) => line(gap.count - below + offset)),
  ];
}
