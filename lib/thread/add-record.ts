import type { ContentBlock } from "@/lib/records/content-block";
import { asArray, asObject, asString, type JsonObject } from "@/lib/records/json";
import { tokenCount } from "@/lib/records/parse-record";
import type { AssistantRecord, AttachmentRecord, ReadableRecord, SessionRecord, UserRecord } from "@/lib/records/session-record";
import { attachmentLevel } from "./attachment-level";
import { BlockKind, CallState, Flag, Level, RecordKind } from "./kinds";
import { countPatch } from "./patch-count";
import { resultState } from "./result-state";
import type { SessionTable } from "./session-table";
import { storedBlobs } from "./stored-blobs";
import { systemLevel } from "./system-level";
import { userTextKind } from "./user-text";

const NONE = -1;

/**
 * Appends one record to the table and returns its index. `whole` parses the line again without
 * elision; it is asked for only where a cut would change a number (the lines of a created file).
 */
export function addRecord(table: SessionTable, file: number, record: SessionRecord, whole: () => SessionRecord): number {
  if (record.kind === "unreadable") {
    const index = pushRecord(table, file, record, RecordKind.unreadable, "unreadable");
    pushBlock(table, index, BlockKind.record, Level.conversation);
    return index;
  }
  switch (record.kind) {
    case "user":
      return addUser(table, file, record, whole);
    case "assistant":
      return addAssistant(table, file, record);
    case "system": {
      const boundary = record.subtype === "compact_boundary";
      const kind = boundary ? RecordKind.compactBoundary : RecordKind.system;
      const index = pushRecord(table, file, record, kind, `system/${record.subtype}`);
      if (boundary && record.logicalParentUuid) table.records.set("link", index, table.uuids.intern(record.logicalParentUuid));
      pushBlock(table, index, BlockKind.record, systemLevel(record.subtype));
      return index;
    }
    case "progress": {
      const index = pushRecord(table, file, record, RecordKind.progress, `progress/${record.dataType}`);
      const agentId = asString(record.data.agentId);
      if (agentId && record.parentToolUseId) table.agentHints.push({ agentId, toolUseId: record.parentToolUseId });
      pushBlock(table, index, BlockKind.record, Level.everything);
      return index;
    }
    case "attachment":
      return addAttachment(table, file, record);
    case "metadata": {
      const index = pushRecord(table, file, record, RecordKind.metadata, record.type);
      pushBlock(table, index, BlockKind.record, Level.everything);
      if (record.type === "queue-operation") noteQueue(table, index, record.json);
      return index;
    }
    case "unknown": {
      const index = pushRecord(table, file, record, RecordKind.unknown, record.type || "no type");
      pushBlock(table, index, BlockKind.record, Level.tools);
      return index;
    }
  }
}

function pushRecord(table: SessionTable, file: number, record: SessionRecord, kind: number, type: string): number {
  const readable = record.kind === "unreadable" ? null : record;
  const version = asString(readable?.json.version);
  return table.records.push({
    file,
    offset: record.at.offset,
    length: record.at.length,
    line: record.at.line,
    kind,
    flags: readable ? flagsOf(readable) : 0,
    atMs: readable?.atMs ?? Number.NaN,
    uuid: readable?.uuid ? table.uuids.intern(readable.uuid) : NONE,
    parent: readable?.parentUuid ? table.uuids.intern(readable.parentUuid) : NONE,
    link: NONE,
    message: NONE,
    firstBlock: table.blocks.size,
    type: table.types.intern(type),
    version: table.versions.intern(version ?? ""),
    images: readable ? countImages(readable) : 0,
  });
}

function flagsOf(record: ReadableRecord): number {
  return (
    (record.isSidechain ? Flag.sidechain : 0) |
    (record.isMeta ? Flag.meta : 0) |
    (record.uuid ? Flag.node : 0) |
    (record.kind === "assistant" && record.isApiError ? Flag.apiError : 0)
  );
}

function countImages(record: ReadableRecord): number {
  return storedBlobs(record).filter((blob) => blob.kind === "image").length;
}

function pushBlock(table: SessionTable, record: number, kind: number, level: number, index = NONE, call = NONE): number {
  return table.blocks.push({ record, index, kind, level, call, next: NONE });
}

function addAssistant(table: SessionTable, file: number, record: AssistantRecord): number {
  const synthetic = record.isApiError || record.model === "<synthetic>";
  const kind = synthetic ? RecordKind.synthetic : RecordKind.assistant;
  const index = pushRecord(table, file, record, kind, "assistant");
  // A line without an id is a message of its own.
  const id = record.messageId ?? `${file}:${record.at.offset}`;
  table.records.set("message", index, noteMessage(table, id, record));
  for (const [place, block] of record.blocks.entries()) addAssistantBlock(table, index, place, block);
  // "an assistant message with no content" (scenario `empty`, all versions) still is a record to show.
  if (record.blocks.length === 0) pushBlock(table, index, BlockKind.record, Level.everything);
  return index;
}

function addAssistantBlock(table: SessionTable, record: number, place: number, block: ContentBlock): void {
  switch (block.kind) {
    case "text":
      pushBlock(table, record, BlockKind.text, block.text === "" ? Level.everything : Level.conversation, place);
      return;
    case "thinking":
      pushBlock(table, record, BlockKind.thinking, Level.tools, place);
      return;
    case "tool-use": {
      const call = callOf(table, block.id);
      const known = table.calls.get("use", call) !== NONE;
      const level = known ? Level.merged : Level.tools;
      const added = pushBlock(table, record, BlockKind.call, level, place, call);
      if (known) return; // the same call again: a copied line
      table.calls.set("use", call, added);
      table.calls.set("tool", call, table.tools.intern(block.name));
      const prompt = asString(block.input.prompt);
      if (prompt) table.calls.set("prompt", call, table.texts.intern(prompt));
      return;
    }
    case "tool-result":
      addResult(table, record, place, block, null);
      return;
    case "media":
      pushBlock(table, record, BlockKind.media, Level.conversation, place);
      return;
    default:
      pushBlock(table, record, BlockKind.unknown, Level.tools, place);
  }
}

function noteMessage(table: SessionTable, id: string, record: AssistantRecord): number {
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
  if (message === table.messages.size) {
    table.messages.push({ model: table.models.intern(record.model ?? ""), ...counts });
    return message;
  }
  // Lines of one message carry the start value until the last one (2.0.50, 2.0.76): the maximum is the truth.
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    table.messages.set(name, message, Math.max(table.messages.get(name, message), counts[name]));
  }
  return message;
}

function callOf(table: SessionTable, toolUseId: string | null): number {
  const blank = {
    tool: 0,
    use: NONE,
    result: NONE,
    results: 0,
    state: CallState.none,
    added: 0,
    removed: 0,
    path: NONE,
    agent: NONE,
    prompt: NONE,
  };
  if (toolUseId === null) return table.calls.push(blank);
  const id = table.toolIds.intern(toolUseId);
  const known = table.callOfId[id];
  if (known !== undefined) return known;
  const call = table.calls.push(blank);
  table.callOfId[id] = call;
  return call;
}

function addResult(
  table: SessionTable,
  record: number,
  place: number,
  block: Extract<ContentBlock, { kind: "tool-result" }>,
  user: UserRecord | null,
): void {
  const call = callOf(table, block.toolUseId);
  const added = pushBlock(table, record, BlockKind.result, Level.merged, place, call);
  const first = table.calls.get("result", call);
  table.calls.set("results", call, table.calls.get("results", call) + 1);
  if (first !== NONE) {
    let last = first;
    while (table.blocks.get("next", last) !== NONE) last = table.blocks.get("next", last);
    table.blocks.set("next", last, added);
    return;
  }
  table.calls.set("result", call, added);
  const structured = asObject(user?.toolUseResult);
  const text = block.content.find((inner) => inner.kind === "text");
  const denial = asString(user?.json.toolDenialKind);
  const state = resultState(text?.text ?? "", block.isError, structured?.interrupted === true, denial);
  table.calls.set("state", call, state);
}

function addUser(table: SessionTable, file: number, record: UserRecord, whole: () => SessionRecord): number {
  const results = record.blocks.filter((block) => block.kind === "tool-result");
  const text = record.blocks.map((block) => (block.kind === "text" ? block.text : "")).join("\n").trim();
  const kind = userKind(record, results.length > 0, text);
  const index = pushRecord(table, file, record, kind, "user");
  if (kind === RecordKind.prompt || kind === RecordKind.agentPrompt) table.records.set("link", index, table.texts.intern(text));
  if (results.length === 0) {
    pushBlock(table, index, BlockKind.record, USER_LEVELS.get(kind) ?? Level.everything);
    return index;
  }
  for (const [place, block] of record.blocks.entries()) {
    if (block.kind === "tool-result") addResult(table, index, place, block, record);
    // Words beside a result: what a person said when refusing, or a reminder.
    else pushBlock(table, index, block.kind === "media" ? BlockKind.media : BlockKind.text, Level.tools, place);
  }
  noteStructuredResult(table, index, record, whole);
  return index;
}

const USER_LEVELS: ReadonlyMap<number, number> = new Map([
  [RecordKind.prompt, Level.prompts],
  [RecordKind.agentPrompt, Level.prompts],
  [RecordKind.compactSummary, Level.tools],
  [RecordKind.command, Level.conversation],
  [RecordKind.commandOutput, Level.tools],
  [RecordKind.interruption, Level.conversation],
  [RecordKind.notification, Level.tools],
]);

function userKind(record: UserRecord, hasResults: boolean, text: string): number {
  if (hasResults) return RecordKind.results;
  if (record.isCompactSummary) return RecordKind.compactSummary;
  if (record.isMeta) return RecordKind.meta;
  const { json } = record;
  const origin = asString(asObject(json.origin)?.kind);
  const what = userTextKind(text);
  if (what === "notification" || origin === "task-notification") return RecordKind.notification;
  if (what === "command" || what === "bash") return RecordKind.command;
  if (what === "output") return RecordKind.commandOutput;
  if (what === "interruption") return RecordKind.interruption;
  if (what === "tagged" || json.isVisibleInTranscriptOnly === true) return RecordKind.meta;
  return record.isSidechain ? RecordKind.agentPrompt : RecordKind.prompt;
}

/** What `toolUseResult` says beyond the result block. It stands once a line, so it belongs to the line's first call. */
function noteStructuredResult(table: SessionTable, index: number, record: UserRecord, whole: () => SessionRecord): void {
  let structured = asObject(record.toolUseResult);
  if (!structured) return;
  const call = table.blocks.get("call", table.records.get("firstBlock", index));
  if (call === NONE) return;
  const agentId = asString(structured.agentId);
  if (agentId) table.calls.set("agent", call, table.agentIds.intern(agentId));
  if (structured.isAsync === true || structured.status === "async_launched") {
    table.records.set("flags", index, table.records.get("flags", index) | Flag.asyncLaunch);
  }
  if (structured.type === "create") {
    const full = whole();
    structured = (full.kind === "user" ? asObject(full.toolUseResult) : null) ?? structured;
  }
  const patch = countPatch(structured);
  if (!patch || table.calls.get("state", call) !== CallState.ok) return;
  table.calls.set("path", call, table.paths.intern(patch.path));
  table.calls.set("added", call, patch.added);
  table.calls.set("removed", call, patch.removed);
}

/** The text of a prompt that may be a string or blocks. */
function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  return asArray(prompt)
    .map((block) => asString(asObject(block)?.text) ?? "")
    .join("\n");
}

function addAttachment(table: SessionTable, file: number, record: AttachmentRecord): number {
  const { attachment, attachmentType: type } = record;
  const { level, known } = attachmentLevel(type);
  // 2.1.110 writes no origin; a queued notification has a mode of its own in every version.
  const text = type === "queued_command" ? promptText(attachment.prompt) : "";
  const isPrompt =
    type === "queued_command" && attachment.commandMode !== "task-notification" && userTextKind(text) === "prompt";
  const kind = isPrompt ? RecordKind.prompt : known ? RecordKind.attachment : RecordKind.unknown;
  const index = pushRecord(table, file, record, kind, `attachment/${type}`);
  if (isPrompt) table.records.set("link", index, table.texts.intern(text.trim()));
  pushBlock(table, index, BlockKind.record, isPrompt ? Level.prompts : level);
  return index;
}

/** Follows the queue: 2.0.42–2.1.42 log a prompt typed during work here and nowhere else. */
function noteQueue(table: SessionTable, index: number, json: JsonObject): void {
  const { queue } = table;
  const text = promptText(json.content).trim();
  if (json.operation === "enqueue") {
    // Notifications and commands wait here too; they have lines of their own when they are delivered.
    const written = userTextKind(text) === "prompt" && !text.startsWith("/") && text !== "";
    if (written) table.records.set("link", index, table.texts.intern(text));
    queue.push({ enqueued: index, delivered: NONE });
    return;
  }
  const waiting = queue.filter((entry) => entry.delivered === NONE);
  if (json.operation === "popAll") {
    // Taken back into the input box: not delivered, and no longer waiting.
    for (const entry of waiting) queue.splice(queue.indexOf(entry), 1);
    return;
  }
  // 2.0.50 and 2.1.330 name what is removed, 2.0.76 and 2.1.42 don't: the oldest goes first.
  const key = text === "" ? NONE : table.texts.find(text);
  const entry = waiting.find((one) => table.records.get("link", one.enqueued) === key) ?? waiting[0];
  if (entry) entry.delivered = index;
}
