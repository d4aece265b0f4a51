import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { SessionGraph } from "./session-graph";

/** Tells whether a record starts a turn of its thread. */
export function startsTurn(table: SessionTable, graph: SessionGraph, record: number): boolean {
  if (graph.copies.has(record)) return false;
  const kind = table.records.get("kind", record);
  return kind === RecordKind.prompt || kind === RecordKind.agentPrompt || graph.queuedTurns.has(record);
}
