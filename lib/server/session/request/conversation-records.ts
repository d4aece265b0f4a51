import { asArray, asObject, asString } from "@/lib/log/records/json";
import type { SentPart } from "@/lib/log/request/assemble";
import { canonicalHash } from "./canonical-hash";

/**
 * For each message of a recorded request the records of the conversation that hold it: a logged request is
 * a copy of them (2.1.330), and a reader wants the row. They are told by what their blocks say, in order, so
 * that a text sent twice leads to both of its records. Empty for what only the client's log of requests has.
 */
export function conversationRecords(
  parts: readonly SentPart[],
  messages: readonly { role: string; content?: unknown }[],
): number[][] {
  const unused = new Map<string, number[]>();
  for (const { record, message } of parts) {
    if (record === -1) continue;
    for (const block of message.content) {
      const key = blockKey(message.role, block);
      const records = unused.get(key);
      if (records) records.push(record);
      else unused.set(key, [record]);
    }
  }
  return messages.map(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
    const found = blocks.flatMap((block) => unused.get(blockKey(role, block))?.shift() ?? []);
    return [...new Set(found)];
  });
}

/** What tells a block from the others of its request: the ids of calls and results, the words of a text. */
function blockKey(role: string, block: unknown): string {
  const { type, id, tool_use_id, text, thinking } = asObject(block) ?? {};
  switch (type) {
    case "tool_use":
      return `call ${asString(id) ?? ""}`;
    case "tool_result":
      return `result ${asString(tool_use_id) ?? ""}`;
    case "text":
      return `${role} text ${asString(text)?.trim() ?? ""}`;
    case "thinking":
      return `thinking ${asString(thinking)?.trim() ?? ""}`;
    default:
      return `${role} ${canonicalHash(block)}`;
  }
}
