import { ChevronDown, ChevronRight } from "lucide-react";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText, toCopy } from "@/components/content/text/more-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useNow } from "@/lib/client/use-now";
import { formatCompact, formatDuration, formatMoment } from "@/lib/format/format";
import type { RecordId } from "@/lib/wire/ids";
import { OpenedBlock } from "../opened-block";
import { Rail } from "../rail/rail";
import { type RowProps, RowTint } from "./row-line";

/** The point where the client replaced the conversation so far with a summary. */
export function CompactionRowView({ row, open, selected }: RowProps<"compaction">) {
  const { toggleOpen, lane, sessionId } = useThreadActions();
  const nowMs = useNow();
  const { preTokens, postTokens, summary } = row;
  const facts = [
    row.trigger === "auto" ? "automatic" : row.trigger,
    row.atMs === null ? null : formatMoment(row.atMs, nowMs),
    row.durationMs === null ? null : formatDuration(row.durationMs),
  ].filter(Boolean);
  return (
    <div className="relative isolate grid grid-cols-[var(--rail)_minmax(0,1fr)]">
      {selected && <RowTint height={open ? "twoLines" : "whole"} />}
      <Rail node={{ shape: "none" }} lane={lane} broken />
      <div className="relative min-w-0">
        <div className="flex min-h-10 flex-wrap items-center gap-x-2 pr-3 text-12 whitespace-nowrap text-fg-2 tabular-nums">
          <span className="font-semibold">Compacted</span>
          {preTokens !== null && (
            <span>
              {formatCompact(preTokens)}
              {postTokens !== null && ` → ${formatCompact(postTokens)}`} tokens
            </span>
          )}
          <span className="truncate text-fg-3 max-sm:hidden">{facts.join(" · ")}</span>
          {summary && (
            <Button
              kind="quiet"
              className="h-5 print:hidden"
              data-openable
              aria-expanded={open}
              onClick={() => toggleOpen(row.key)}
            >
              Summary
              <Icon of={open ? ChevronDown : ChevronRight} small />
            </Button>
          )}
          <ContextLinks before={row.answerBefore} after={row.answerAfter} />
          <span aria-hidden="true" className="h-[3px] min-w-4 flex-1 border-y border-line-2" />
        </div>
        {open && summary && (
          <OpenedBlock
            row={row}
            facts="written by the model; the rows above stay in the log"
            copy={{ label: "Copy summary", text: toCopy(sessionId, row, summary) }}
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

/** Links to what the model was sent before and after the compaction. */
function ContextLinks({ before, after }: { before: RecordId | null; after: RecordId | null }) {
  const { showContext } = useThreadActions();
  if (!showContext || (!before && !after)) return null;
  const link = (recordId: RecordId, word: string) => (
    <button
      type="button"
      aria-label={`Context ${word} the compaction`}
      title={`What the model was sent ${word === "before" ? "last before" : "first after"} the compaction`}
      className="rounded-1 text-accent hover:underline max-sm:py-1"
      onClick={() => showContext(recordId)}
    >
      {word}
    </button>
  );
  return (
    <span className="flex items-center gap-1 print:hidden">
      Context {before && link(before, "before")}
      {before && after && "and"}
      {after && link(after, "after")}
    </span>
  );
}
