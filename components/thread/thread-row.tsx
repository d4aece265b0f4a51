import { memo, useMemo } from "react";
import type { Row } from "@/lib/wire/rows";
import { RailRowContext } from "./rail/rail-node";
import { AgentReturnRowView } from "./rows/agent-rows";
import { BookkeepingRowView, UnknownRowView, UnreadableRowView } from "./rows/bookkeeping-row";
import { CompactionRowView } from "./rows/compaction-row";
import { ForkRowView } from "./rows/fork-row";
import { ContextRowView, EventRowView } from "./rows/note-row";
import { RunRowView } from "./rows/run-row";
import { BlobRowView, TextRowView, ThinkingRowView } from "./rows/text-rows";
import { ToolRowView } from "./rows/tool-row";
import { TurnRowView } from "./rows/turn-row";

/** Draws a row by its kind. A kind that this page does not know yet is still a row. */
export const ThreadRow = memo(function ThreadRow({
  turnMs,
  ...props
}: {
  row: Row;
  /** How long the row's turn took, where that is known. */
  turnMs: number | null;
  open: boolean;
  selected: boolean;
}) {
  const { row } = props;
  const { lanes, spine } = row;
  const rail = useMemo(
    () => (row.kind === "fork" ? { lanes, spine, turnMs, fork: row } : { lanes, spine, turnMs }),
    [row, lanes, spine, turnMs],
  );
  return (
    <RailRowContext.Provider value={rail}>
      {row.marks ? (
        // Its text in the quietest colour that can still be read.
        <div data-marks={row.marks.join(" ")} className="text-fg [--fg-2:var(--fg-3)] [--fg:var(--fg-3)]">
          <RowOfKind {...props} />
        </div>
      ) : (
        <RowOfKind {...props} />
      )}
    </RailRowContext.Provider>
  );
});

function RowOfKind({ row, open, selected }: { row: Row; open: boolean; selected: boolean }) {
  const props = { open, selected };
  switch (row.kind) {
    case "turn":
      return <TurnRowView row={row} {...props} />;
    case "text":
      return <TextRowView row={row} {...props} />;
    case "thinking":
      return <ThinkingRowView row={row} {...props} />;
    case "tool":
      return <ToolRowView row={row} {...props} />;
    case "run":
      return <RunRowView row={row} {...props} />;
    case "agent-return":
      return <AgentReturnRowView row={row} {...props} />;
    case "blob":
      return <BlobRowView row={row} {...props} />;
    case "compaction":
      return <CompactionRowView row={row} {...props} />;
    case "fork":
      return <ForkRowView row={row} {...props} />;
    case "event":
      return <EventRowView row={row} {...props} />;
    case "context":
      return <ContextRowView row={row} {...props} />;
    case "bookkeeping":
      return <BookkeepingRowView row={row} {...props} />;
    case "unknown":
      return <UnknownRowView row={row} {...props} />;
    case "unreadable":
      return <UnreadableRowView row={row} {...props} />;
  }
}

/** How long the turns among these rows took, by their number: the scale of their rows' spans. */
export function turnSpans(rows: Iterable<Row>): ReadonlyMap<number, number | null> {
  const spans = new Map<number, number | null>();
  for (const row of rows) if (row.kind === "turn") spans.set(row.turn, row.durationMs);
  return spans;
}
