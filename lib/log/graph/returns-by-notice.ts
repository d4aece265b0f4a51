import type { SessionTable } from "@/lib/log/table/session-table";
import type { Thread } from "./threads";

/** The notifications in the conversation that bring an agent's answer (2.1.42 and later): record → thread. */
export function returnsByNotice(table: SessionTable, threads: readonly Thread[]): Map<number, number> {
  const found = new Map<number, number>();
  if (table.notices.length === 0) return found;
  const byId = new Map<string, number>();
  for (const [index, { agentId, internal }] of threads.entries())
    if (agentId !== null && !internal) byId.set(agentId, index);
  for (const { agentId, record, brings } of table.notices) {
    const thread = byId.get(agentId ?? "");
    if (brings && thread !== undefined) found.set(record, thread);
  }
  return found;
}
