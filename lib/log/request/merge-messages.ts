import type { SentPart } from "./assemble";
import type { SentMessage } from "./sent-message";

/** A message of a request and the records it was made from, each once. */
export type MergedMessage = { message: SentMessage; records: number[] };

/** Joins neighbours of one role. In a user message results come first, as the API wants them. */
export function mergeParts(parts: readonly SentPart[]): MergedMessage[] {
  const merged: MergedMessage[] = [];
  for (const { record, message } of parts) {
    if (message.content.length === 0) continue;
    const own = record === -1 ? [] : [record];
    const last = merged.at(-1);
    if (last?.message.role === message.role) {
      last.message.content.push(...message.content);
      last.records.push(...own.filter((one) => !last.records.includes(one)));
    } else merged.push({ message: { role: message.role, content: [...message.content] }, records: own });
  }
  for (const { message } of merged) {
    if (message.role !== "user") continue;
    const isResult = (block: SentMessage["content"][number]) => block.type === "tool_result";
    message.content = [
      ...message.content.filter(isResult),
      ...message.content.filter((block) => !isResult(block)),
    ];
  }
  return merged;
}
