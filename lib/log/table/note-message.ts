import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AssistantRecord } from "@/lib/log/records/session-record";
import type { SessionTable } from "./session-table";

/**
 * The number of the message with this id, with what this line says of its usage. Lines of one
 * message carry the start value until the last one (2.0.50, 2.0.76): the maximum is the truth.
 */
export function noteMessage(table: SessionTable, id: string, record: AssistantRecord): number {
  const message = table.messageIds.intern(id);
  const { usage } = record;
  const cache = asObject(usage?.cache_creation);
  const server = asObject(usage?.server_tool_use);
  const counts = {
    input: tokenCount(usage, "input_tokens"),
    output: tokenCount(usage, "output_tokens"),
    cacheWrite: tokenCount(usage, "cache_creation_input_tokens"),
    cacheWrite5m: tokenCount(cache, "ephemeral_5m_input_tokens"),
    cacheWrite1h: tokenCount(cache, "ephemeral_1h_input_tokens"),
    cacheRead: tokenCount(usage, "cache_read_input_tokens"),
    webSearches: tokenCount(server, "web_search_requests"),
    webFetches: tokenCount(server, "web_fetch_requests"),
  };
  const tier = table.tiers.intern(asString(usage?.service_tier) ?? "");
  if (message === table.messages.size) {
    table.messages.push({ model: table.models.intern(record.model ?? ""), tier, ...counts });
    return message;
  }
  if (table.tiers.at(tier) !== "") table.messages.set("tier", message, tier);
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    table.messages.set(name, message, Math.max(table.messages.get(name, message), counts[name]));
  }
  return message;
}

/** A count that may be missing, or not be one. */
function tokenCount(usage: JsonObject | null, field: string): number {
  return Math.max(0, asNumber(usage?.[field]) ?? 0);
}
