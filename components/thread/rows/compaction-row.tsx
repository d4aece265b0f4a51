import { ChevronDown, ChevronRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { formatCompact } from "@/lib/text/format-count";
import { formatDuration } from "@/lib/text/format-duration";
import { formatClock } from "@/lib/text/format-time";
import { Markdown } from "../markdown/markdown";
import { OpenedBlock } from "../opened-block";
import { Rail } from "../rail/rail";
import { MoreText } from "../text/more-text";
import { useThreadActions } from "../thread-context";
import { RowTint } from "./row-frame";
import type { RowProps } from "./row-props";

/** The place where the client put a summary in place of what came before. */
export function CompactionRowView({ row, open, selected }: RowProps<"compaction">) {
  const { toggleOpen, lane } = useThreadActions();
  const { preTokens, postTokens, summary } = row;
  const facts = [
    row.trigger === "auto" ? "automatic" : row.trigger,
    row.atMs === null ? null : formatClock(row.atMs),
    row.durationMs === null ? null : formatDuration(row.durationMs),
  ].filter(Boolean);
  return (
    <div className="relative grid grid-cols-[var(--rail)_minmax(0,1fr)]">
      <RowTint selected={selected} tall={!open} />
      <Rail node={{ shape: "none" }} lane={lane} broken />
      <div className="relative min-w-0">
        <div className="flex h-10 items-center gap-2 pr-3 text-12 whitespace-nowrap text-fg-2 tabular-nums">
          <span className="font-semibold">Compacted</span>
          {preTokens !== null && (
            <span>
              {formatCompact(preTokens)}
              {postTokens !== null && ` → ${formatCompact(postTokens)}`} tokens
            </span>
          )}
          <span className="truncate text-fg-3 max-sm:hidden">{facts.join(" · ")}</span>
          {summary && (
            <Button kind="quiet" className="h-5" aria-expanded={open} onClick={() => toggleOpen(row.key)}>
              Summary
              <Icon of={open ? ChevronDown : ChevronRight} small />
            </Button>
          )}
          <span aria-hidden="true" className="h-[3px] min-w-4 flex-1 border-y border-line-2" />
        </div>
        {open && summary && (
          <OpenedBlock
            row={row}
            facts="written by the model; the rows above stay in the log and here"
            copy={{ label: "Copy summary", text: summary.text }}
          >
            <div className="px-3 py-2">
              <MoreText row={row} text={summary}>
                {(text) => <Markdown text={text} />}
              </MoreText>
            </div>
          </OpenedBlock>
        )}
      </div>
    </div>
  );
}
