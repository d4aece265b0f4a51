import { memo } from "react";
import type { LineSpans } from "@/components/content/code/highlight-job";
import { LineChunk } from "@/components/content/code/line-chunk";
import { LineNumber } from "@/components/content/code/line-number";
import { useBroughtIntoView, useOpenedPlace } from "@/components/content/line-selection";
import { cx } from "@/lib/client/class-names";
import { AcrossLine } from "./across-line";
import { DiffCode, LOOKS } from "./diff-code";
import type { CodeDiffLine, DiffLine } from "./diff-line";

export type ChunkProps = {
  from: number;
  to: number;
  beforeSpans: readonly LineSpans[];
  afterSpans: readonly LineSpans[];
  onGap: (gap: number, from: "top" | "bottom" | "all") => void;
};

/** Some lines of a unified diff. */
export const DiffChunk = memo(function DiffChunk({
  lines,
  from,
  to,
  beforeSpans,
  afterSpans,
  onGap,
}: ChunkProps & { lines: readonly DiffLine[] }) {
  const drawn = lines
    .slice(from, to)
    .map((line, index) =>
      "sideLine" in line ? (
        <UnifiedLine
          key={index}
          line={line}
          spans={(line.kind === "removed" ? beforeSpans : afterSpans)[line.sideLine]}
        />
      ) : (
        <AcrossLine key={index} line={line} onGap={onGap} />
      ),
    );
  return <LineChunk lines={to - from}>{drawn}</LineChunk>;
});

const GRID = "grid grid-cols-[36px_36px_20px_minmax(0,1fr)] max-sm:grid-cols-[20px_minmax(0,1fr)]";
const GUTTER = "pr-2 text-right text-11/[18px] text-fg-3 tabular-nums select-none max-sm:hidden";

const UnifiedLine = memo(function UnifiedLine({
  line,
  spans,
}: {
  line: CodeDiffLine;
  spans: LineSpans | undefined;
}) {
  const { lines, linked } = useOpenedPlace();
  const { newLine, oldLine } = line;
  const marked = lines !== null && newLine !== null && newLine >= lines.from && newLine <= lines.to;
  const element = useBroughtIntoView<HTMLDivElement>(marked && linked && newLine === lines.from);
  const look = LOOKS[line.kind];
  // A number that is not known is a dot; a side without the line is empty.
  const unknown = oldLine === null && newLine === null ? "·" : "";
  return (
    <div
      ref={element}
      data-marked={marked || undefined}
      className={cx(
        GRID,
        look.ground,
        marked && "shadow-[inset_2px_0_0_var(--accent)]",
        marked && !look.ground && "bg-sel",
      )}
    >
      <span className={GUTTER}>{oldLine ?? (line.kind === "added" ? "" : unknown)}</span>
      <span className={GUTTER}>
        {newLine === null ? line.kind === "removed" ? "" : unknown : <LineNumber line={newLine} />}
      </span>
      <span className={cx("text-center select-none", look.sign)}>{look.mark}</span>
      <span className="pr-3 whitespace-pre group-data-[wrap=true]/opened:[overflow-wrap:anywhere] group-data-[wrap=true]/opened:whitespace-pre-wrap">
        <DiffCode line={line} spans={spans} />
      </span>
    </div>
  );
});
