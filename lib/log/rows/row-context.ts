import type { Branch } from "@/lib/log/graph/branches";
import type { Path, Turn } from "@/lib/log/graph/path";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { SessionLog } from "@/lib/log/table/log-file";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { RecordId } from "@/lib/wire/ids";

/** Everything a row is made from. `read` gives a record that `recordsOfRow` named; its long strings may be cut. */
export type RowContext = {
  table: SessionTable;
  graph: SessionGraph;
  logs: readonly SessionLog[];
  branch: Branch;
  path: Path;
  folds: { has(turn: number): boolean };
  read(record: number): SessionRecord | null;
};

/** The id of a record on the wire: its file's key and its byte offset in base 36. */
export function recordIdOf({ table, logs }: Pick<RowContext, "table" | "logs">, record: number): RecordId {
  const key = logs[table.records.get("file", record)]?.key ?? "m";
  return `${key}~${table.records.get("offset", record).toString(36)}` as RecordId;
}

/** Epoch milliseconds of a record, `null` where its line has no time. */
export function timeOf(table: SessionTable, record: number): number | null {
  const ms = table.records.get("atMs", record);
  return Number.isNaN(ms) ? null : ms;
}

/** The turn with this number; a path has at least turn 0. */
export function turnAt(path: Path, turn: number): Turn {
  return (path.turns[turn] ?? path.turns[0]) as Turn;
}
