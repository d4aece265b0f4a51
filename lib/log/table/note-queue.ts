import type { MetadataRecord, SessionRecord } from "@/lib/log/records/session-record";
import { noteNotification } from "./note-notification";
import { promptWords } from "./prompt-words";
import type { SessionTable } from "./session-table";
import { sharedWords } from "./text-prefix";
import { userTextKind } from "./user-text";

const NONE = -1;

/** Follows the queue: 2.0.42–2.1.42 log a prompt typed during work here and nowhere else. */
export function noteQueue(
  table: SessionTable,
  index: number,
  record: MetadataRecord,
  whole: () => SessionRecord,
): void {
  const { queue, waiting } = table;
  const { json } = record;
  const text = promptWords(json.content).trim();
  if (json.operation === "enqueue") {
    // Notifications and commands wait here too; they have lines of their own when they are delivered.
    const written = userTextKind(text) === "prompt" && !text.startsWith("/") && text !== "";
    if (written) table.records.set("link", index, table.texts.intern(sharedWords(text)));
    else noteNotification(table, index, text, record.elided ? () => queuedText(whole()) : null, false);
    const entry = { enqueued: index, delivered: NONE };
    queue.push(entry);
    waiting.add(entry, table.records.get("link", index));
    return;
  }
  if (json.operation === "popAll") {
    takeBack(table);
    return;
  }
  // 2.0.50 and 2.1.330 name what is removed, 2.0.76 and 2.1.42 don't: the oldest goes first.
  const entry = waiting.take(text === "" ? null : table.texts.find(sharedWords(text)));
  if (entry) entry.delivered = index;
}

/** All that waits goes back into the input box: it is not delivered, and no longer queued. */
function takeBack({ queue, waiting }: SessionTable): void {
  if (waiting.size === 0) return;
  let kept = 0;
  for (const entry of queue) if (entry.delivered !== NONE) queue[kept++] = entry;
  queue.length = kept;
  waiting.clear();
}

function queuedText(record: SessionRecord): string {
  return record.kind === "metadata" ? promptWords(record.json.content) : "";
}
