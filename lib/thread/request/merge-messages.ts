import type { SentMessage } from "./sent-message";

/** Joins neighbours of one role. In a user message results come first, as the API wants them. */
export function mergeMessages(messages: readonly SentMessage[]): SentMessage[] {
  const merged: SentMessage[] = [];
  for (const message of messages) {
    if (message.content.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === message.role) last.content.push(...message.content);
    else merged.push({ role: message.role, content: [...message.content] });
  }
  for (const message of merged) {
    if (message.role !== "user") continue;
    const isResult = (block: SentMessage["content"][number]) => block.type === "tool_result";
    message.content = [...message.content.filter(isResult), ...message.content.filter((block) => !isResult(block))];
  }
  return merged;
}
