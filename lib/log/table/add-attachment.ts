import type { AttachmentRecord, SessionRecord } from "@/lib/log/records/session-record";
import { attachmentLevel } from "./attachment-level";
import { BlockKind, Level, RecordKind } from "./kinds";
import { noteNotification } from "./note-notification";
import { promptWords } from "./prompt-words";
import { pushBlock, pushRecord } from "./push-record";
import type { SessionTable } from "./session-table";
import { sharedWords } from "./text-prefix";
import { userTextKind } from "./user-text";

/** Appends an attachment, which may be a queued prompt or a notification, and returns its index. `whole`: as for `addRecord`. */
export function addAttachment(
  table: SessionTable,
  file: number,
  record: AttachmentRecord,
  whole: () => SessionRecord,
): number {
  const { attachment, attachmentType: type } = record;
  const { level, known } = attachmentLevel(type);
  const text = type === "queued_command" ? promptWords(attachment.prompt) : "";
  // 2.1.110 writes no origin; a queued notification has a mode of its own in every version.
  const isPrompt =
    type === "queued_command" &&
    attachment.commandMode !== "task-notification" &&
    userTextKind(text) === "prompt";
  const kind = isPrompt ? RecordKind.prompt : known ? RecordKind.attachment : RecordKind.unknown;
  const index = pushRecord(table, file, record, kind, `attachment/${type}`);
  if (isPrompt) table.records.set("link", index, table.texts.intern(sharedWords(text)));
  else if (text !== "")
    noteNotification(table, index, text, record.elided ? () => queuedText(whole()) : null, true);
  pushBlock(table, index, BlockKind.record, isPrompt ? Level.prompts : level);
  return index;
}

function queuedText(record: SessionRecord): string {
  return record.kind === "attachment" ? promptWords(record.attachment.prompt) : "";
}
