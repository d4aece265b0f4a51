import { memo } from "react";
import type { LineSpans } from "@/components/content/code/highlight-job";
import { LineChunk } from "@/components/content/code/line-chunk";
import { LineNumber } from "@/components/content/code/line-number";
import { useBroughtIntoView, useOpenedPlace } from "@/components/content/line-selection";
import { cx } from "@/lib/client/class-names";
import { AcrossLine } from "./across-line";
import type { ChunkProps } from "./diff-chunk";
import { DiffCode, LOOKS } from "./diff-code";
import type { CodeDiffLine } from "./diff-line";
import type { SplitRow } from "./split-rows";

/** Some rows of a diff that lies side by side. Long lines wrap: half a page has no room to scroll. */
export const SplitChunk = memo(function SplitChunk({
  rows,
  from,
  to,
  beforeSpans,
  afterSpans,
  onGap,
}: ChunkProps & { rows: readonly SplitRow[] }) {
  const drawn = rows.slice(from, to).map((row, index) =>
    row.kind === "across" ? (
      <AcrossLine key={index} line={row.line} onGap={onGap} />
    ) : (
      <div key={index} className="grid grid-cols-2">
        <Side
          line={row.before}
          side="old"
          // A line that did not change has its syntax from the new side.
          spans={
            row.before && (row.before.kind === "removed" ? beforeSpans : afterSpans)[row.before.sideLine]
          }
        />
        <Side line={row.after} side="new" spans={row.after && afterSpans[row.after.sideLine]} />
      </div>
    ),
  );
  return <LineChunk lines={to - from}>{drawn}</LineChunk>;
});

function Side({
  line,
  side,
  spans,
}: {
  line: CodeDiffLine | null;
  side: "old" | "new";
  spans: LineSpans | undefined | null;
}) {
  const { lines, linked } = useOpenedPlace();
  const number = line && (side === "old" ? line.oldLine : line.newLine);
  const marked =
    side === "new" && lines !== null && number !== null && number >= lines.from && number <= lines.to;
  const element = useBroughtIntoView<HTMLDivElement>(marked && linked && number === lines.from);
  const look = line ? LOOKS[line.kind] : null;
  return (
    <div
      ref={element}
      data-marked={marked || undefined}
      className={cx(
        "grid min-w-0 grid-cols-[36px_16px_minmax(0,1fr)]",
        side === "new" && "border-l border-line",
        line ? look?.ground : "hatch",
        marked && "bg-sel shadow-[inset_2px_0_0_var(--accent)]",
      )}
    >
      <span className="pr-2 text-right text-11/[18px] text-fg-3 tabular-nums select-none">
        {line && (number === null ? "·" : side === "new" ? <LineNumber line={number} /> : number)}
      </span>
      <span className={cx("text-center select-none", look?.sign)}>{look?.mark}</span>
      <span className="pr-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {line && <DiffCode line={line} spans={spans ?? undefined} />}
      </span>
    </div>
  );
}
