import { asNumber, asObject, asString } from "@/lib/records/json";
import type { CompactionRow } from "@/lib/wire/rows";
import { cutText } from "../cut-text";
import { summaryBoundary } from "../flatten";
import { RecordKind } from "../kinds";
import { at } from "../table";
import { rowBase } from "./row-base";
import type { RowContext } from "./row-context";
import { promptOf } from "./turn-row";

const SUMMARY_LIMIT = 6_000;
const LOOK_AHEAD = 12;

/** The summary that follows a boundary on this path, -1 if the log has none. */
export function summaryOf({ table, graph, path }: RowContext, boundary: number): number {
  const start = path.records.indexOf(boundary);
  for (let i = start + 1; i < Math.min(path.records.length, start + LOOK_AHEAD); i++) {
    const record = at(path.records, i);
    if (table.records.get("kind", record) !== RecordKind.compactSummary) continue;
    if (summaryBoundary(table, graph, record) === boundary) return record;
  }
  return -1;
}

export function compactionRow(context: RowContext, record: number, turn: number): CompactionRow {
  const logged = context.read(record);
  const metadata = logged?.kind === "system" ? asObject(logged.json.compactMetadata) : null;
  const summary = summaryOf(context, record);
  return {
    ...rowBase(context, record, 0, turn),
    kind: "compaction",
    trigger: asString(metadata?.trigger),
    preTokens: asNumber(metadata?.preTokens),
    // 2.1.330; before it, what was kept is nowhere in the log.
    postTokens: asNumber(metadata?.postTokens),
    durationMs: asNumber(metadata?.durationMs),
    summary: summary === -1 ? null : cutText(promptOf(context.read(summary)), SUMMARY_LIMIT),
  };
}
