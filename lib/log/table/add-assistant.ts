import type { ContentBlock } from "@/lib/log/records/content-block";
import { asString } from "@/lib/log/records/json";
import type { AssistantRecord } from "@/lib/log/records/session-record";
import { addResult } from "./add-result";
import { callOf } from "./call-of";
import { BlockKind, Level, RecordKind } from "./kinds";
import { noteMessage } from "./note-message";
import { pushBlock, pushRecord } from "./push-record";
import type { SessionTable } from "./session-table";
import { textMark } from "./text-mark";
import { sharedWords } from "./text-prefix";

const NONE = -1;

/** What the client puts where a resumed session ended on a user line. */
const SPACER = "No response requested.";

/** Appends a line of an answer with its blocks and calls, and returns its index. */
export function addAssistant(table: SessionTable, file: number, record: AssistantRecord): number {
  const kind = isSynthetic(record) ? RecordKind.synthetic : RecordKind.assistant;
  const index = pushRecord(table, file, record, kind, "assistant");
  table.records.set("message", index, noteMessage(table, messageIdOf(table, file, record), record));
  const text = record.blocks.find((block) => block.kind === "text");
  if (text?.kind === "text" && text.text !== "") table.records.set("link", index, textMark(text.text));
  for (const [place, block] of record.blocks.entries()) addBlock(table, index, place, block);
  // "an assistant message with no content" (scenario `empty`, 2.1.110 and later) still is a record to show.
  if (record.blocks.length === 0) pushBlock(table, index, BlockKind.record, Level.everything);
  return index;
}

/** A line without an id is a message of its own; its uuid, or all that is told of it, tells its copies in other sessions. */
function messageIdOf(table: SessionTable, file: number, record: AssistantRecord): string {
  const { messageId, uuid, sessionId, atMs, at } = record;
  if (messageId !== null) return messageId;
  const place = `${file}:${at.offset}`;
  const id = uuid === null ? `line ${sessionId} ${atMs} ${place}` : `line ${uuid}`;
  return table.messageIds.find(id) === NONE ? id : `${id} ${place}`;
}

/** 2.1.110 keeps the words of an interrupted answer under the model `<synthetic>`: those the model wrote. */
function isSynthetic(record: AssistantRecord): boolean {
  if (record.isApiError) return true;
  if (record.model !== "<synthetic>") return false;
  return record.blocks.every((block) => block.kind !== "text" || block.text === SPACER);
}

function addBlock(table: SessionTable, record: number, place: number, block: ContentBlock): void {
  switch (block.kind) {
    case "text":
      pushBlock(
        table,
        record,
        BlockKind.text,
        block.text === "" ? Level.everything : Level.conversation,
        place,
      );
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
      if (prompt) table.calls.set("prompt", call, table.texts.intern(sharedWords(prompt)));
      const type = asString(block.input.subagent_type);
      if (type) table.calls.set("agentType", call, table.agentTypes.intern(type));
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
