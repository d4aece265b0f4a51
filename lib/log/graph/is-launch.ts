import { Flag } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";

/** True for a result that only says that an agent was started in the background. */
export function isLaunch(table: SessionTable, record: number): boolean {
  return (table.records.get("flags", record) & Flag.asyncLaunch) !== 0;
}
