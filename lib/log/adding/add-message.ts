import type { PricedTokens } from "@/lib/cost/price-table";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AssistantRecord } from "@/lib/log/records/session-record";
import type { Column } from "@/lib/log/table/column";
import { Terms } from "@/lib/log/table/session-columns";
import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;

/**
 * Returns the number of the message of which this is a line, and updates its usage. Lines of one message repeat the
 * initial value until the last one (2.0.50, 2.0.76): the maximum is correct.
 */
export function noteMessage(table: SessionTable, file: number, record: AssistantRecord): number {
  const id = messageIdOf(table, file, record);
  const { usage, atMs } = record;
  const tier = asString(usage?.service_tier) ?? "";
  const terms = termsOf(usage);
  const reported = Math.round(tokenCount(record.json, "costUSD") * 1e6);
  const message = putMessage(table, id, { usage, model: record.model ?? "", tier, atMs, terms, reported });
  const passes = ownPasses(usage);
  if (passes.length > 0) table.passes.note(message, passes.map(tokensIn));
  for (const [nth, pass] of advisorPasses(usage).entries()) {
    const model = asString(pass.model) ?? asString(record.json.advisorModel) ?? "";
    // Fast mode is the own model's, where it is answered is not.
    const told = { usage: pass, model, tier: "", atMs, terms: terms & Terms.usOnly, reported: 0 };
    table.advised.note(message, putMessage(table, `${id} advisor ${nth}`, told));
    // The tool that asked it, under which it is counted.
    table.tools.intern(ADVISOR_TOOL);
  }
  return message;
}

/** A line without an id is a message of its own, identified across sessions by its uuid, or by its session and position. */
function messageIdOf(table: SessionTable, file: number, record: AssistantRecord): string {
  const { messageId, uuid, sessionId, atMs, at } = record;
  if (messageId !== null) return messageId;
  const blockIndex = `${file}:${at.offset}`;
  const id = uuid === null ? `line ${sessionId} ${atMs} ${blockIndex}` : `line ${uuid}`;
  return table.messageIds.find(id) === NONE ? id : `${id} ${blockIndex}`;
}

type ToldMessage = {
  usage: JsonObject | null;
  model: string;
  tier: string;
  atMs: number | null;
  terms: number;
  reported: number;
};

function putMessage(
  table: SessionTable,
  id: string,
  { usage, atMs, terms, reported, ...told }: ToldMessage,
): number {
  const message = table.messageIds.intern(id);
  const counts = countsIn(usage);
  const tier = table.tiers.intern(told.tier);
  const { messages } = table;
  const isNew = message === messages.size;
  if (isNew) {
    messages.add();
    messages.model.put(message, table.models.intern(told.model));
    messages.atMs.put(message, Number.NaN);
  }
  if (isNew || table.tiers.at(tier) !== "") messages.tier.put(message, tier);
  if (atMs !== null && !(messages.atMs.at(message) <= atMs)) messages.atMs.put(message, atMs);
  messages.terms.put(message, messages.terms.at(message) | terms);
  // Like those of records, column by column.
  raise(messages.reported, message, reported);
  raise(messages.input, message, counts.input);
  raise(messages.output, message, counts.output);
  raise(messages.cacheWrite, message, counts.cacheWrite);
  raise(messages.cacheWrite5m, message, counts.cacheWrite5m);
  raise(messages.cacheWrite1h, message, counts.cacheWrite1h);
  raise(messages.cacheRead, message, counts.cacheRead);
  raise(messages.webSearches, message, counts.webSearches);
  raise(messages.webFetches, message, counts.webFetches);
  return message;
}

/** Replaces a number of a row, which is 0 in a new one, by a larger one. */
function raise(column: Column, row: number, value: number): void {
  if (value > column.at(row)) column.put(row, value);
}

/** The API's tool with which a model asks its advisor. */
export const ADVISOR_TOOL = "advisor";

/** The passes of an advisor, a second model that the API asked while the answer was made (2.1.98 and later). */
function advisorPasses(usage: JsonObject | null): JsonObject[] {
  if (!Array.isArray(usage?.iterations)) return [];
  return usage.iterations.map(asObject).filter((pass) => pass?.type === "advisor_message") as JsonObject[];
}

/** What was used, by the usage of an answer or of one of its passes. */
function countsIn(usage: JsonObject | null) {
  const cache = asObject(usage?.cache_creation);
  const server = asObject(usage?.server_tool_use);
  const cacheWrite5m = tokenCount(cache, "ephemeral_5m_input_tokens");
  const cacheWrite1h = tokenCount(cache, "ephemeral_1h_input_tokens");
  return {
    input: tokenCount(usage, "input_tokens"),
    output: tokenCount(usage, "output_tokens"),
    // Before 2.1.152 the sum may be 0 where its parts are not.
    cacheWrite: Math.max(tokenCount(usage, "cache_creation_input_tokens"), cacheWrite5m + cacheWrite1h),
    cacheWrite5m,
    cacheWrite1h,
    cacheRead: tokenCount(usage, "cache_read_input_tokens"),
    webSearches: tokenCount(server, "web_search_requests"),
    webFetches: tokenCount(server, "web_fetch_requests"),
  };
}

function tokensIn(pass: JsonObject): PricedTokens {
  const { webSearches: _searches, webFetches: _fetches, ...tokens } = countsIn(pass);
  return tokens;
}

/**
 * The passes in which an answer's own model made it (`usage.iterations`, 2.1.330), in their order; none where it was one.
 * Those of another kind, such as an advisor's (`advisor_message`), are of a model of their own: the usage leaves them out.
 */
export function ownPasses(usage: JsonObject | null): JsonObject[] {
  const iterations = usage?.iterations;
  if (!Array.isArray(iterations) || iterations.length < 2) return [];
  const own = iterations.map(asObject).filter((pass) => pass !== null);
  const passes = own.filter((pass) => (pass.type ?? "message") === "message");
  return passes.length > 1 ? passes : [];
}

/** 2.1.330 writes both with every answer; `not_available` and "" are no place. */
function termsOf(usage: JsonObject | null): number {
  return (usage?.speed === "fast" ? Terms.fast : 0) | (usage?.inference_geo === "us" ? Terms.usOnly : 0);
}

/** A token count that may be missing or not a number. */
function tokenCount(usage: JsonObject | null, field: string): number {
  return Math.max(0, asNumber(usage?.[field]) ?? 0);
}
