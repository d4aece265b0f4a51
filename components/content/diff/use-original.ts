import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useContext, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { type RowState, RowStateContext } from "@/components/content/row-state";
import { toastFailure } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { textField } from "@/lib/format/json-values";
import type { CodeDiffLine, DiffLine } from "@/lib/markup/diff-lines";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";

/** The file before a change, by line number from 1. For a long file only the loaded lines are known. */
export type OriginalText = {
  lines: number;
  at: (line: number) => string | undefined;
  /** Resolves when these lines are loaded, as far as they exist. */
  load: (from: number, to: number) => Promise<void>;
};

/** The server truncates longer strings in results. */
const MAX_STRING_CHARACTERS = 64 << 10;

/** The recorded original of a call that changed one file; `null` if the log has none. */
export function useOriginal(call: CallDetail): OriginalText | null {
  const { sessionId } = useThreadActions();
  const { recordId, block, originalLines } = call;
  const client = useQueryClient();
  // In the cache, so that a row that comes back into the page has its lines, and its height, at once.
  const [loaded, setLoaded] = useState<ReadonlyMap<number, string>>(
    () => client.getQueryData(linesKey(sessionId, recordId, block)) ?? new Map(),
  );
  const known = useRef(loaded);
  const load = useCallback(
    async (from: number, to: number) => {
      for (let next = from; next <= to; ) {
        while (known.current.has(next)) next += 1;
        if (next > to) break;
        const { lines } = await api.originalLines(sessionId, recordId, block, { from: next, to });
        if (lines.length === 0) return;
        const more = new Map(known.current);
        for (const [index, line] of lines.entries()) more.set(next + index, line);
        known.current = more;
        next += lines.length;
      }
      client.setQueryData(linesKey(sessionId, recordId, block), known.current);
      setLoaded(known.current);
    },
    [client, sessionId, recordId, block],
  );
  const whole = useMemo(() => wholeOriginal(call), [call]);
  return useMemo(() => {
    if (call.diffs.length !== 1) return null;
    if (whole) return { lines: whole.length, at: (line) => whole[line - 1], load: async () => undefined };
    return originalLines === null ? null : { lines: originalLines, at: (line) => loaded.get(line), load };
  }, [call, whole, originalLines, loaded, load]);
}

const linesKey = (sessionId: SessionId, recordId: RecordId, block: number) => [
  "original-lines",
  sessionId,
  recordId,
  block,
];

/** The lines of an original short enough to be part of the call's result. */
function wholeOriginal({ results }: CallDetail): string[] | null {
  const structured = results[0]?.structured;
  const text = textField(structured, "originalFile") ?? textField(structured, "originalFileContents");
  return text === null || text.length >= MAX_STRING_CHARACTERS - 8
    ? null
    : text.replace(/\n$/, "").split("\n");
}

const STEP_LINES = 20;

type Opened = { top: number; bottom: number };

type From = "top" | "bottom" | "all";

const CLOSED: Opened = { top: 0, bottom: 0 };

/**
 * Expands gaps with lines from the recorded original; the rest remains a gap. Expanded gaps are stored with the row, by
 * the file's path.
 */
export function useGaps(
  lines: readonly DiffLine[],
  original: OriginalText | null,
  path: string,
): { lines: readonly DiffLine[]; open: (gap: number, from: From) => void } {
  const row = useContext(RowStateContext);
  const [opened, setOpened] = useState<ReadonlyMap<number, Opened>>(() => keptGaps(lines, row, path));
  const newest = useRef({ lines, original, opened });
  newest.current = { lines, original, opened };
  const loadKept = useEffectEvent(() => {
    for (const line of lines) {
      const kept = line.kind === "gap" && opened.get(line.oldLine);
      if (kept && original) loadParts(original, line, CLOSED, kept).catch(tellFailure);
    }
  });
  useEffect(() => loadKept(), []);
  const open = useCallback(
    (gap: number, from: From) => {
      const { lines, original, opened } = newest.current;
      const line = lines.find((one) => one.kind === "gap" && one.oldLine === gap);
      if (!original || line?.kind !== "gap") return;
      const old = opened.get(gap) ?? CLOSED;
      const more = (by: From, shown: number) => Math.min(line.count, shown + (from === by ? STEP_LINES : 0));
      const next = {
        top: from === "all" ? line.count : more("top", old.top),
        bottom: more("bottom", old.bottom),
      };
      // The lines are loaded before the gap opens. Meanwhile more may have been opened, at its other end or all of it.
      loadParts(original, line, old, next).then(() => {
        setOpened((all) => new Map(all).set(gap, widest(all.get(gap) ?? CLOSED, next)));
        const kept = widest(keptGap(row, path, gap), next);
        for (const side of SIDES) row?.set(gapPart(path, gap, side), kept[side]);
      }, tellFailure);
    },
    [row, path],
  );
  const shown = useMemo(() => {
    if (!original || opened.size === 0) return lines;
    return lines.flatMap((line) => (line.kind === "gap" ? expandGap(line, original, opened) : [line]));
  }, [lines, original, opened]);
  return { lines: shown, open };
}

const SIDES = ["top", "bottom"] as const;

/** Names one side of a gap among the parts of its row. */
const gapPart = (path: string, gap: number, side: keyof Opened) => `gap ${side} ${gap} ${path}`;

/** How much of both ends is open. */
function widest(one: Opened, other: Opened): Opened {
  return { top: Math.max(one.top, other.top), bottom: Math.max(one.bottom, other.bottom) };
}

function keptGap(row: RowState | null, path: string, gap: number): Opened {
  const kept = (side: keyof Opened) => Number(row?.get(gapPart(path, gap, side)) ?? 0);
  return { top: kept("top"), bottom: kept("bottom") };
}

function keptGaps(lines: readonly DiffLine[], row: RowState | null, path: string): Map<number, Opened> {
  return new Map(
    lines
      .filter((line) => line.kind === "gap")
      .map(({ oldLine }) => [oldLine, keptGap(row, path, oldLine)] as const)
      .filter(([, { top, bottom }]) => top > 0 || bottom > 0),
  );
}

function tellFailure(error: unknown): void {
  toastFailure(error, "Couldn’t read the file");
}

type GapLine = Extract<DiffLine, { kind: "gap" }>;

async function loadParts(original: OriginalText, { oldLine, count }: GapLine, old: Opened, next: Opened) {
  const end = oldLine + count - 1;
  if (next.top > old.top) await original.load(oldLine + old.top, oldLine + next.top - 1);
  if (next.bottom > old.bottom) await original.load(end - next.bottom + 1, end - old.bottom);
}

/** A gap keeps the number of its first line as its id, however much of it is expanded. */
function expandGap(gap: GapLine, original: OriginalText, opened: ReadonlyMap<number, Opened>): DiffLine[] {
  const { top, bottom } = opened.get(gap.oldLine) ?? CLOSED;
  const above = Math.min(gap.count, top);
  const below = Math.min(gap.count - above, bottom);
  const line = (offset: number): CodeDiffLine => ({
    kind: "context",
    text: original.at(gap.oldLine + offset) ?? "",
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
