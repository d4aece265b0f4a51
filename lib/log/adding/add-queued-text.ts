import { asArray, asObject, asString } from "@/lib/log/records/json";
import type { MetadataRecord, SessionRecord } from "@/lib/log/records/session-record";
import type { AgentEnd, SessionTable } from "@/lib/log/table/session-table";
import type { QueuedText, WaitingTexts } from "@/lib/log/table/waiting-texts";
import { textPrefix } from "./text-prefix";
import { tagContent, userTextKind } from "./user-text";

const NONE = -1;

/** Follows the queue: 2.0.42–2.1.42 log a prompt typed during work here and nowhere else. */
export function noteQueue(
  table: SessionTable,
  index: number,
  record: MetadataRecord,
  whole: () => SessionRecord,
): void {
  const { queue } = table;
  const { json } = record;
  const waiting = table.waitingIn(table.records.file.at(index));
  const text = promptText(json.content).trim();
  if (json.operation === "enqueue") {
    // Notifications and commands are queued here too; they get lines of their own when they are delivered.
    const written = userTextKind(text) === "prompt" && !text.startsWith("/") && text !== "";
    if (written) table.records.link.put(index, table.texts.intern(textPrefix(text)));
    else {
      // It only reports that the agent has ended: where it is delivered its answer returns.
      for (const end of agentEndsIn(text, record.elided ? () => queuedText(whole()) : null))
        table.notices.push({ ...end, record: index, brings: false });
    }
    const entry = { enqueued: index, delivered: NONE };
    queue.push(entry);
    waiting.add(entry, table.records.link.at(index));
    return;
  }
  if (json.operation === "popAll") {
    takeBack(queue, waiting);
    return;
  }
  // 2.0.50 and 2.1.330 name what is removed; 2.0.76 and 2.1.42 don't: then the oldest is removed.
  const entry = waiting.take(text === "" ? null : table.texts.find(textPrefix(text)));
  if (entry) entry.delivered = index;
}

/** Everything that is queued returns to the input box: it is not delivered, and no longer queued. */
function takeBack(queue: QueuedText[], waiting: WaitingTexts): void {
  const taken = waiting.takeAll();
  if (taken.size === 0) return;
  let kept = 0;
  for (const entry of queue) if (!taken.has(entry)) queue[kept++] = entry;
  queue.length = kept;
}

/** What a queue operation or an attachment queues or delivers, whole; empty for any other record. */
export function queuedText(record: SessionRecord): string {
  if (record.kind === "metadata") return promptText(record.json.content);
  return record.kind === "attachment" ? promptText(record.attachment.prompt) : "";
}

/**
 * Notes which agent a notification is about and how that agent ended: its answer returns where the notification is part
 * of the conversation. `wholeText` reads the text again where it may be cut.
 */
export function noteNotification(
  table: SessionTable,
  record: number,
  text: string,
  wholeText: (() => string) | null,
): void {
  const ends = agentEndsIn(text, wholeText);
  // One about several has the answer of none.
  for (const end of ends) table.notices.push({ ...end, record, brings: ends.length === 1 });
}

/** The agents that a notification reports as ended: several where their client was, and its session goes on (2.1.332). */
function agentEndsIn(text: string, wholeText: (() => string) | null): Omit<AgentEnd, "record" | "brings">[] {
  if (!/^\s*<(task|agent)-notification>/.test(text)) return [];
  // Ids and status come first, but after a path that can be long.
  const notification = tagContent(text, "status") === null && wholeText ? wholeText() : text;
  const status = tagContent(notification, "status");
  if (status === null) return [];
  const toolUseId = tagContent(notification, "tool-use-id");
  // Behind the status an answer may quote any tag.
  const head = notification.slice(0, notification.indexOf("<status>"));
  const agentIds = Array.from(head.matchAll(/<task-id>([^<]*)<\/task-id>/g), ([, id = ""]) => id.trim());
  if (agentIds.length > 1) return agentIds.map((agentId) => ({ agentId, toolUseId, status }));
  // 2.0.76 calls it `agent-id`; `tool-use-id` came with 2.1.110.
  const agentId = tagContent(notification, "task-id") ?? tagContent(notification, "agent-id");
  return agentId === null && toolUseId === null ? [] : [{ agentId, toolUseId, status }];
}

/** The text of a queued prompt, which may be a string or blocks. */
function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  return asArray(prompt)
    .map((block) => asString(asObject(block)?.text) ?? "")
    .join("\n");
}
