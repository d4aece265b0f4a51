import type { SessionTable } from "./session-table";

/** Input, output and cache tokens of a message. */
export function messageTokens(table: SessionTable, message: number): number {
  const { messages } = table;
  return (
    messages.get("input", message) +
    messages.get("output", message) +
    messages.get("cacheWrite", message) +
    messages.get("cacheRead", message)
  );
}
