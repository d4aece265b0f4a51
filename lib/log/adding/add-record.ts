import { asArray, asNumber, asObject, asString } from "@/lib/log/records/json";
import type {
  AttachmentRecord,
  ProgressRecord,
  SessionRecord,
  SystemRecord,
} from "@/lib/log/records/session-record";
import { BlockKind, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { addAssistant } from "./add-assistant";
import { noteNotification, noteQueue, queuedText } from "./add-queued-text";
import { noteBlockedByHook } from "./add-result";
import { addUser } from "./add-user";
import { attachmentLevel, isToldByHooks, isWordOfHooks, SHOWN_METADATA, systemLevel } from "./levels";
import { noteTook, pushBlock, pushRecord } from "./push-record";
import { textPrefix } from "./text-prefix";
import { userTextKind } from "./user-text";

/**
 * Appends one record to the table and returns its index. `whole` parses the line again without
 * elision; it is called only where a cut would change what is counted or joined (the lines of a
 * created file, the ids of a long notification).
 */
export function addRecord(
  table: SessionTable,
  file: number,
  record: SessionRecord,
  whole: () => SessionRecord,
): number {
  switch (record.kind) {
    case "unreadable":
      return addWhole(table, file, record, RecordKind.unreadable, "unreadable", Level.conversation);
    case "user":
      return addUser(table, file, record, whole);
    case "assistant":
      return addAssistant(table, file, record, whole);
    case "system":
      return addSystem(table, file, record);
    case "progress":
      return addProgress(table, file, record);
    case "attachment":
      return addAttachment(table, file, record, whole);
    case "metadata": {
      const level = SHOWN_METADATA.has(record.type) ? Level.conversation : Level.everything;
      const index = addWhole(table, file, record, RecordKind.metadata, record.type, level);
      if (record.type === "queue-operation") noteQueue(table, index, record, whole);
      else if (record.type === "summary" || record.type === "last-prompt")
        noteLeaf(table, index, asString(record.json.leafUuid));
      else if (record.type === "fork-context-ref")
        noteLeaf(table, index, asString(record.json.parentLastUuid));
      else if (record.type === "cost-state" && file === 0)
        noteClientCost(table, asNumber(record.json.totalCostUSD));
      return index;
    }
    case "unknown":
      return addWhole(table, file, record, RecordKind.unknown, record.type || "no type", Level.tools);
  }
}

function addWhole(
  table: SessionTable,
  file: number,
  record: SessionRecord,
  kind: number,
  type: string,
  level: number,
): number {
  const index = pushRecord(table, file, record, kind, type);
  pushBlock(table, index, BlockKind.record, level);
  return index;
}

function addSystem(table: SessionTable, file: number, record: SystemRecord): number {
  const { subtype, logicalParentUuid } = record;
  const boundary = subtype === "compact_boundary";
  const kind = boundary ? RecordKind.compactBoundary : RecordKind.system;
  const index = pushRecord(table, file, record, kind, `system/${subtype}`);
  const isRepeated = isWordOfHooks(subtype, record.json) && isToldByHooks(table, index);
  pushBlock(
    table,
    index,
    BlockKind.record,
    isRepeated ? Level.everything : systemLevel(subtype, record.json),
  );
  if (boundary) noteTook(table, index, asNumber(asObject(record.json.compactMetadata)?.durationMs));
  if (boundary && logicalParentUuid)
    table.records.link.put(index, lineBefore(table, logicalParentUuid, record));
  for (const id of clearedCalls(record)) {
    const call = table.callIn(file, table.toolIds.find(id));
    if (call !== undefined) table.calls.cleared.put(call, 1);
  }
  return index;
}

/**
 * The uuid of the line that a compaction follows: its logical parent, or the last one that it preserved where that was
 * written later: a summary "up to here" names the last line that it sums up, and all behind that goes on (2.1.332).
 */
function lineBefore({ uuids }: SessionTable, logicalParentUuid: string, { json }: SystemRecord): number {
  const logical = uuids.intern(logicalParentUuid);
  const tail = asString(asObject(asObject(json.compactMetadata)?.preservedSegment)?.tailUuid);
  // Numbers are given as uuids are first read.
  return tail === null ? logical : Math.max(logical, uuids.find(tail));
}

/** The calls whose results a microcompaction removed from the context (2.1.42: its lists are empty in every recording). */
export function clearedCalls({ subtype, json }: SystemRecord): string[] {
  if (subtype !== "microcompact_boundary") return [];
  return asArray(asObject(json.microcompactMetadata)?.compactedToolIds).filter(
    (id) => typeof id === "string",
  );
}

/** Notes the leaf that a summary covers, which may be in another file (1.0.128), that a `last-prompt` names, or after which an agent goes on (2.1.332). */
function noteLeaf(table: SessionTable, index: number, leafUuid: string | null): void {
  if (leafUuid !== null) table.records.link.put(index, table.uuids.intern(leafUuid));
}

/** The client writes its total again and again; the last one holds. */
function noteClientCost({ clientCosts }: SessionTable, dollars: number | null): void {
  if (dollars !== null) clientCosts[0] = Math.round(dollars * 1e6);
}

function noteHint({ agentHints, hinted }: SessionTable, agentId: string, toolUseId: string): void {
  const key = `${agentId} ${toolUseId}`;
  if (hinted.has(key)) return;
  hinted.add(key);
  agentHints.push({ agentId, toolUseId });
}

function addProgress(table: SessionTable, file: number, record: ProgressRecord): number {
  const agentId = asString(record.data.agentId);
  if (agentId && record.parentToolUseId) noteHint(table, agentId, record.parentToolUseId);
  return addWhole(table, file, record, RecordKind.progress, `progress/${record.dataType}`, Level.everything);
}

/** Appends an attachment, which may be a queued prompt or a notification, and returns its index. `whole`: see `addRecord`. */
function addAttachment(
  table: SessionTable,
  file: number,
  record: AttachmentRecord,
  whole: () => SessionRecord,
): number {
  const { attachment, attachmentType: type } = record;
  const { level, known } = attachmentLevel(type);
  const text = type === "queued_command" ? queuedText(record) : "";
  // 2.1.110 writes no origin; a queued notification has its own mode in every version.
  const isPrompt =
    type === "queued_command" &&
    attachment.commandMode !== "task-notification" &&
    userTextKind(text) === "prompt";
  const kind = isPrompt ? RecordKind.prompt : known ? RecordKind.attachment : RecordKind.unknown;
  const index = pushRecord(table, file, record, kind, `attachment/${type}`);
  if (isPrompt) table.records.link.put(index, table.texts.intern(textPrefix(text)));
  else if (text !== "")
    noteNotification(table, index, text, record.elided ? () => queuedText(whole()) : null);
  if (type.startsWith("hook_")) noteHook(table, file, index, record);
  pushBlock(table, index, BlockKind.record, isPrompt ? Level.prompts : level);
  return index;
}

/** A hook's time and its call; one that belongs to no call has an id all the same (2.1.110 and later). */
function noteHook(table: SessionTable, file: number, index: number, record: AttachmentRecord): void {
  const { durationMs, toolUseID } = record.attachment;
  noteTook(table, index, asNumber(durationMs));
  const id = asString(toolUseID);
  if (id !== null) table.records.link.put(index, table.toolIds.find(id));
  const call = table.callIn(file, table.toolIds.find(callBlockedByHook(record) ?? ""));
  if (call !== undefined) noteBlockedByHook(table, call);
}

/**
 * The call that a hook kept from running, by a line of its own (2.1.110): the result has the hook's words alone, as it has in
 * 2.1.15 to 2.1.179 otherwise, where no line says that they are a hook's. `null` for any other record.
 */
export function callBlockedByHook({ attachmentType, attachment }: AttachmentRecord): string | null {
  if (attachmentType !== "hook_blocking_error" || attachment.hookEvent !== "PreToolUse") return null;
  return asString(attachment.toolUseID);
}
