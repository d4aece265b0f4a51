import { type ComponentType, memo, useMemo } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { RowStateContext } from "@/components/content/row-state";
import type { Row, UnknownRow } from "@/lib/wire/rows";
import { RailRowContext } from "./rail/rail-node";
import { AgentReturnRowView } from "./rows/agent-rows";
import { BookkeepingRowView, UnknownRowView, UnreadableRowView } from "./rows/bookkeeping-row";
import { CompactionRowView } from "./rows/compaction-row";
import { ForkRowView } from "./rows/fork-row";
import { ContextRowView, EventRowView } from "./rows/note-row";
import { type AnyRowProps, type RowProps, RowViewContext } from "./rows/row-line";
import { RunRowView } from "./rows/run-row";
import { BlobRowView, TextRowView, ThinkingRowView } from "./rows/text-rows";
import { ToolRowView } from "./rows/tool-row";
import { TurnRowView } from "./rows/turn-row";

const ROW_VIEWS: { readonly [Kind in Row["kind"]]: ComponentType<RowProps<Kind>> } = {
  turn: TurnRowView,
  text: TextRowView,
  thinking: ThinkingRowView,
  tool: ToolRowView,
  run: RunRowView,
  "agent-return": AgentReturnRowView,
  blob: BlobRowView,
  compaction: CompactionRowView,
  fork: ForkRowView,
  event: EventRowView,
  context: ContextRowView,
  bookkeeping: BookkeepingRowView,
  unknown: UnknownRowView,
  unreadable: UnreadableRowView,
};

/** A page that was open while the server was updated may be sent a kind that it does not know. */
function ofNewerServer(row: Row): UnknownRow {
  return { ...row, kind: "unknown", type: row.kind, text: { text: "", cut: false, length: 0 } };
}

/** Draws a row by its kind, and gives itself to an opened tool call, which may hold an agent's thread. */
export const ThreadRow = memo(function ThreadRow({ turnMs, row, open, selected }: AnyRowProps) {
  const rail = useMemo(() => {
    const { lanes, passing, spine } = row;
    const beside = { lanes, passing, spine, turnMs };
    return row.kind === "fork" ? { ...beside, fork: row } : beside;
  }, [row, turnMs]);
  const { unfoldedIn } = useThreadActions();
  const unfolded = useMemo(() => unfoldedIn?.(row.key) ?? null, [unfoldedIn, row.key]);
  // A kind has the view for its own rows, which the compiler can't tell of a union.
  const View = ROW_VIEWS[row.kind] as ComponentType<RowProps<Row["kind"]>> | undefined;
  const view = View ? (
    <View row={row} open={open} selected={selected} />
  ) : (
    <UnknownRowView row={ofNewerServer(row)} open={open} selected={selected} />
  );
  const drawn =
    row.kind === "tool" ? <RowViewContext.Provider value={ThreadRow}>{view}</RowViewContext.Provider> : view;
  return (
    <RailRowContext.Provider value={rail}>
      <RowStateContext.Provider value={unfolded}>
        {row.marks ? (
          // Its text in the quietest colour that can still be read.
          <div data-marks={row.marks.join(" ")} className="text-fg [--fg-2:var(--fg-3)] [--fg:var(--fg-3)]">
            {drawn}
          </div>
        ) : (
          drawn
        )}
      </RowStateContext.Provider>
    </RailRowContext.Provider>
  );
});
