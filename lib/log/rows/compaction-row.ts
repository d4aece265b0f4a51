import { asNumber, asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { RecordKind } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import { formatRowKey, type RecordId } from "@/lib/wire/ids";
import type { CompactionRow, CutText } from "@/lib/wire/rows";
import { summaryBoundary } from "./flatten";
import { cutText, type RowContext, recordIdOf, rowBase } from "./row-context";
import { promptOf } from "./turn-row";

const MAX_SUMMARY = 6_000;
const LOOK_AHEAD = 12;

/** The summary that follows a boundary on this path, -1 if the log has none. */
export function summaryOf({ table, graph, path }: RowContext, boundary: number): number {
  // 1.0.60: the summary is the boundary.
  if (table.types.at(table.records.type.at(boundary)) === "user") return boundary;
  const start = path.records.indexOf(boundary);
  let looked = 0;
  for (let i = start + 1; i < path.records.length && looked < LOOK_AHEAD; i++) {
    const record = at(path.records, i);
    // 2.1.330 writes the preserved records again in between after a /branch.
    if (graph.duplicates.has(record)) continue;
    looked += 1;
    if (table.records.kind.at(record) !== RecordKind.compactSummary) continue;
    if (summaryBoundary(table, graph, record) === boundary) return record;
  }
  return (
    [start + 1, start - 1].map((i) => path.records[i] ?? -1).find((record) => isSummaryLine(table, record)) ??
    -1
  );
}

/** A `summary` line next to its boundary: the only trace of the context where no user line contains it. */
function isSummaryLine(table: RowContext["table"], record: number): boolean {
  return record !== -1 && table.types.at(table.records.type.at(record)) === "summary";
}

/** The row of a compaction boundary, with its summary where the log has one. */
export function compactionRow(context: RowContext, record: number, turn: number): CompactionRow {
  const logged = context.read(record);
  const metadata = logged?.kind === "system" ? asObject(logged.json.compactMetadata) : null;
  const summary = summaryOf(context, record);
  return {
    kind: "compaction",
    ...rowBase(context, record, 0, turn),
    trigger: asString(metadata?.trigger),
    preTokens: asNumber(metadata?.preTokens),
    // 2.1.330; earlier versions don't log what was preserved.
    postTokens: asNumber(metadata?.postTokens),
    durationMs: asNumber(metadata?.durationMs),
    summary: summaryText(summary === -1 ? logged : context.read(summary)),
    answerBefore: nearestAnswer(context, record, -1),
    answerAfter: nearestAnswer(context, record, 1),
    ...(summary === -1 || summary === record
      ? {}
      : { shows: [formatRowKey(recordIdOf(context, summary), 0)] }),
  };
}

/** The model's nearest answer before or after a boundary on this path, `null` if there is none in that direction. */
function nearestAnswer(context: RowContext, boundary: number, by: 1 | -1): RecordId | null {
  const { table, graph, path } = context;
  const { records } = path;
  for (let i = records.indexOf(boundary) + by; i >= 0 && i < records.length; i += by) {
    const record = at(records, i);
    if (graph.duplicates.has(record)) continue;
    if (table.records.kind.at(record) === RecordKind.assistant) return recordIdOf(context, record);
  }
  return null;
}

/** The text of a summary: from the user line, a `summary` line, or the boundary itself (before 1.0). */
function summaryText(record: SessionRecord | null): CutText | null {
  if (record?.kind === "user") return cutText(promptOf(record), MAX_SUMMARY, record.longest);
  if (record?.kind === "metadata")
    return cutText(asString(record.json.summary) ?? "", MAX_SUMMARY, record.longest);
  const kept =
    record?.kind === "system" && record.logged.type !== "system" ? asString(record.json.content) : null;
  return kept === null ? null : cutText(kept, MAX_SUMMARY);
}
