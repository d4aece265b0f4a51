import type { PricedTokens } from "@/lib/cost/price-table";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AssistantRecord, SessionRecord } from "@/lib/log/records/session-record";
import { BlockKind, Level, RecordKind } from "@/lib/log/table/kinds";
import { Terms } from "@/lib/log/table/session-columns";
import type { SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";
import { addResult, callOf, noteChange } from "./add-result";
import { pushBlock, pushRecord } from "./push-record";
import { mayBeCut, textPrefix } from "./text-prefix";

const NONE = -1;

/** The answer that the client adds where a resumed session ended with a user line. */
const SPACER = "No response requested.";

/** Appends a line of an answer with its blocks and calls, and returns its index. `whole`: see `addRecord`. */
export function addAssistant(
  table: SessionTable,
  file: number,
  record: AssistantRecord,
  whole: () => SessionRecord,
): number {
  const kind = isSynthetic(record) ? RecordKind.synthetic : RecordKind.assistant;
  const index = pushRecord(table, file, record, kind, "assistant");
  table.records.message.put(index, noteMessage(table, messageIdOf(table, file, record), record));
  const text = record.blocks.find((block) => block.kind === "text");
  if (text?.kind === "text" && text.text !== "") table.records.link.put(index, textHash(text.text));
  const full = record.elided ? whole : null;
  for (const [blockIndex, block] of record.blocks.entries()) addBlock(table, index, blockIndex, block, full);
  // An assistant message without content (scenario `empty`, 2.1.110 and later) is still a record to show.
  if (record.blocks.length === 0) pushBlock(table, index, BlockKind.record, Level.everything);
  return index;
}

/** A line without an id is a message of its own, identified across sessions by its uuid, or by its session and position. */
function messageIdOf(table: SessionTable, file: number, record: AssistantRecord): string {
  const { messageId, uuid, sessionId, atMs, at } = record;
  if (messageId !== null) return messageId;
  const blockIndex = `${file}:${at.offset}`;
  const id = uuid === null ? `line ${sessionId} ${atMs} ${blockIndex}` : `line ${uuid}`;
  return table.messageIds.find(id) === NONE ? id : `${id} ${blockIndex}`;
}

/** 2.1.110 keeps the text of an interrupted answer under the model `<synthetic>`: it is the model's own. */
function isSynthetic(record: AssistantRecord): boolean {
  if (record.isApiError) return true;
  if (record.model !== "<synthetic>") return false;
  return record.blocks.every((block) => block.kind !== "text" || block.text === SPACER);
}

type ToolUse = Extract<ContentBlock, { kind: "tool-use" }>;

/** @param whole reads a line that was shortened again */
function addBlock(
  table: SessionTable,
  record: number,
  blockIndex: number,
  block: ContentBlock,
  whole: (() => SessionRecord) | null,
): void {
  switch (block.kind) {
    case "text":
      pushBlock(
        table,
        record,
        BlockKind.text,
        block.text === "" ? Level.everything : Level.conversation,
        blockIndex,
      );
      return;
    case "thinking":
      pushBlock(table, record, BlockKind.thinking, Level.tools, blockIndex);
      return;
    case "tool-use": {
      const call = callOf(table, block.id, table.records.file.at(record), true);
      const known = table.calls.use.at(call) !== NONE;
      const level = known ? Level.merged : Level.tools;
      const added = pushBlock(table, record, BlockKind.call, level, blockIndex, call);
      if (known) return; // the same call again: a copied line
      table.calls.use.put(call, added);
      table.calls.tool.put(call, table.tools.intern(block.name));
      const prompt = asString(block.input.prompt);
      if (prompt) table.startedAgents.note(call, { prompt: table.texts.intern(textPrefix(prompt)) });
      const type = asString(block.input.subagent_type);
      if (type) table.startedAgents.note(call, { type: table.agentTypes.intern(type) });
      const target = targetOf(block, blockIndex, whole);
      if (target !== null && table.calls.path.at(call) === NONE) {
        table.calls.target.put(call, table.paths.intern(target));
        noteChange(table, call); // its result may stand in a file that was read before
      }
      return;
    }
    case "tool-result":
      addResult(table, record, blockIndex, block, null);
      return;
    case "media":
      pushBlock(table, record, BlockKind.media, Level.conversation, blockIndex);
      return;
    default:
      pushBlock(table, record, BlockKind.unknown, Level.tools, blockIndex);
  }
}

/** The file that a call is to change, by its input; `null` for any other call. */
function targetOf(
  { name, input }: ToolUse,
  blockIndex: number,
  whole: (() => SessionRecord) | null,
): string | null {
  if (toolNamed(name)?.files !== "changes") return null;
  const path = inputPath(input);
  if (whole === null || !mayBeCut(path)) return path;
  const full = whole();
  const block = full.kind === "assistant" ? full.blocks[blockIndex] : undefined;
  return block?.kind === "tool-use" ? inputPath(block.input) : path;
}

/** The path that a call to a tool for files or notebooks names, as the model wrote it; `null` without one. */
export function inputPath(input: JsonObject): string | null {
  return asString(input.file_path) ?? asString(input.notebook_path);
}

/**
 * Returns the number of the message with this id, and updates its usage from this line. Lines of one
 * message repeat the initial value until the last one (2.0.50, 2.0.76): the maximum is correct.
 */
function noteMessage(table: SessionTable, id: string, record: AssistantRecord): number {
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
  if (message === table.messages.size) {
    const model = table.models.intern(told.model);
    table.messages.push({ model, tier, ...counts, atMs: atMs ?? Number.NaN, terms, reported });
    return message;
  }
  const { messages } = table;
  if (atMs !== null && !(messages.atMs.at(message) <= atMs)) messages.atMs.put(message, atMs);
  messages.terms.put(message, messages.terms.at(message) | terms);
  messages.reported.put(message, Math.max(messages.reported.at(message), reported));
  if (table.tiers.at(tier) !== "") table.messages.tier.put(message, tier);
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    const column = table.messages[name];
    column.put(message, Math.max(column.at(message), counts[name]));
  }
  return message;
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

/**
 * A non-negative hash that is equal for equal texts: enough to detect that an answer repeats its parent's text
 * without keeping either.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash & 0x7fffffff;
}
