import { X } from "lucide-react";
import { memo } from "react";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { VisibleText } from "@/components/content/text/visible-text";
import { RowMarks } from "@/components/thread/rows/row-marks";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/lane-shape";
import { RunningRing } from "@/components/ui/running-ring";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import type { AgentEntry, OutlineEntry } from "@/lib/wire/session";
import { OutlineRow } from "./outline-row";

/** A turn in the outline, the compaction before it and the agents in it. */
export const TurnEntry = memo(function TurnEntry({
  entry,
  current,
  agents,
  onGo,
}: {
  entry: OutlineEntry;
  current: boolean;
  agents: readonly AgentEntry[];
  onGo: (go: (jumps: ThreadJumps) => void) => void;
}) {
  const { turn, prompt, errors, added, removed, compactedBefore, marks } = entry;
  return (
    <>
      {compactedBefore && <CompactionLine {...compactedBefore} />}
      <OutlineRow
        mark={turn}
        current={current}
        title={prompt}
        onClick={() => onGo((jumps) => jumps.toRow(entry.row))}
        facts={
          <>
            <RowMarks marks={marks} />
            {errors > 0 && (
              <span className="flex text-err" title={formatPlural(errors, "error")}>
                <Icon of={X} small />
                <span className="sr-only">{formatPlural(errors, "error")}</span>
              </span>
            )}
            <ChangedLines added={added} removed={removed} />
          </>
        }
      >
        <span className={marks ? "text-fg-3" : ""}>
          <VisibleText text={prompt || "(no text)"} />
        </span>
      </OutlineRow>
      {agents.map(({ agentId, lane, description, type, state, toolCalls, parentRecordId }) => (
        <OutlineRow
          key={agentId}
          sub
          mark={<LaneShape lane={lane} />}
          facts={
            state === "running" ? (
              <span className="text-run">
                <RunningRing label="running" />
              </span>
            ) : (
              toolCalls
            )
          }
          onClick={parentRecordId ? () => onGo((jumps) => void jumps.toRecord(parentRecordId)) : undefined}
        >
          <VisibleText text={description ?? type ?? agentId} />
        </OutlineRow>
      ))}
    </>
  );
});

function CompactionLine({ preTokens, postTokens }: { preTokens: number | null; postTokens: number | null }) {
  return (
    <div className="grid min-h-6 grid-cols-[var(--mark,20px)_minmax(0,1fr)] items-center gap-x-2 px-3 text-11 text-fg-3 tabular-nums">
      <span aria-hidden="true" className="ml-auto h-1 w-3 border-y border-fg-3" />
      <span>
        Compacted
        {preTokens !== null && ` ${formatCompact(preTokens)}`}
        {preTokens !== null && postTokens !== null && ` → ${formatCompact(postTokens)}`}
      </span>
    </div>
  );
}
