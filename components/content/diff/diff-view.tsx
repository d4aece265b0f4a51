import { useMemo } from "react";
import { languageOfPath } from "@/components/content/code/highlight-language-of";
import { CHUNK_LINES } from "@/components/content/code/line-chunk";
import { ShowMore } from "@/components/content/code/show-more";
import { useHighlight } from "@/components/content/code/use-highlight";
import { useSteps } from "@/components/content/code/use-steps";
import { useOpenedPlace } from "@/components/content/line-selection";
import type { FileDiff } from "@/lib/wire/record";
import { DiffChunk } from "./diff-chunk";
import { diffLines, sideTexts } from "./diff-lines";
import { SplitChunk } from "./split-chunk";
import { splitRows } from "./split-rows";
import { useGaps } from "./use-gaps";
import type { Original } from "./use-original";

/** A file's change, unified or side by side: numbers, signs, syntax, the words that differ, what lies around. */
export function DiffView({
  diff,
  original,
  split,
  ignoreSpace,
}: {
  diff: FileDiff;
  /** The file before the change, where the log has it. */
  original: Original | null;
  split: boolean;
  ignoreSpace: boolean;
}) {
  const originalLines = original?.lines ?? null;
  const all = useMemo(
    () => diffLines(diff.hunks, !diff.computed, ignoreSpace, originalLines),
    [diff, ignoreSpace, originalLines],
  );
  const { lines, open } = useGaps(all, original);
  const sides = useMemo(() => sideTexts(diff.hunks), [diff]);
  const language = languageOfPath(diff.path);
  const syntax = {
    before: useHighlight(sides.before, language),
    after: useHighlight(sides.after, language),
  };
  const place = useOpenedPlace();
  const rows = useMemo(() => (split ? splitRows(lines) : null), [split, lines]);
  const linked = useMemo(() => lines.findLastIndex((line) => isPointedAt(line, place)), [lines, place]);
  const steps = useSteps(rows?.length ?? lines.length, 100, linked + 1);
  const chunks = Array.from({ length: Math.ceil(steps.shown / CHUNK_LINES) }, (_, chunk) => ({
    key: chunk,
    from: chunk * CHUNK_LINES,
    to: Math.min(steps.shown, (chunk + 1) * CHUNK_LINES),
    beforeSpans: syntax.before,
    afterSpans: syntax.after,
    onGap: open,
  }));
  return (
    <>
      <div tabIndex={0} className="overflow-x-auto py-1 font-mono text-code">
        {rows ? (
          chunks.map(({ key, ...chunk }) => <SplitChunk key={key} rows={rows} {...chunk} />)
        ) : (
          <div className="w-max min-w-full group-data-[wrap=true]/opened:w-full">
            {chunks.map(({ key, ...chunk }) => (
              <DiffChunk key={key} lines={lines} {...chunk} />
            ))}
          </div>
        )}
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
}

function isPointedAt(
  line: ReturnType<typeof diffLines>[number],
  { lines, hunk }: ReturnType<typeof useOpenedPlace>,
): boolean {
  if (line.kind === "hunk") return hunk === line.hunk;
  if (!lines || !("newLine" in line) || line.kind === "gap" || line.newLine === null) return false;
  return line.newLine >= lines.from && line.newLine <= lines.to;
}
