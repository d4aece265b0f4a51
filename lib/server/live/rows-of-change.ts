import type { Branch } from "@/lib/log/graph/branches";
import { isRecordRow, RowKind, type RowList, recordOfRow } from "@/lib/log/rows/flatten";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { OpenSession } from "../session/open-session";
import type { Changed } from "../session/session-changes";

/** Lines of one answer stand together: those that tell what it has used are not far from the row that shows it. */
const LOOK_BACK_ROWS = 24;

/** The rows of a list, far up or not, whose calls, messages or lines are said more of now. */
export function rowsOfChange(
  session: Pick<OpenSession, "table" | "rowsOfCalls">,
  branch: Branch,
  list: RowList,
  { calls, messages, records: lines }: Changed,
): number[] {
  const { records, blocks } = session.table;
  const rows = session.rowsOfCalls(branch, list, calls);
  for (let row = Math.max(0, list.count - LOOK_BACK_ROWS * 4); messages.size > 0 && row < list.count; row++) {
    if (isRecordRow(at(list.kind, row))) continue;
    if (messages.has(records.get("message", blocks.get("record", at(list.of, row))))) rows.push(row);
  }
  // What another session says of a line is seldom another.
  for (let row = 0; lines.size > 0 && row < list.count; row++)
    if (lines.has(recordOfRow(session.table, list, row))) rows.push(row);
  return [...new Set(rows)];
}

/** True for a row that shows what stands behind it: a turn's or way's counts, a compaction's summary, a run's calls. */
export function tellsOfLater({ records, blocks }: SessionTable, list: RowList, row: number): boolean {
  const kind = at(list.kind, row);
  if (kind !== RowKind.block) return true;
  return records.get("kind", blocks.get("record", at(list.of, row))) === RecordKind.compactBoundary;
}
