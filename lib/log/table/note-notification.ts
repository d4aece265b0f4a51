import type { SessionTable } from "./session-table";
import { tagContent } from "./user-text";

/**
 * Notes which agent a notification speaks of and how that one ended. `wholeText` reads the text again
 * where it may be cut; `brings`: the notification stands in the conversation, so the answer returns
 * there; in the queue it only tells that the agent has ended.
 */
export function noteNotification(
  table: SessionTable,
  record: number,
  text: string,
  wholeText: (() => string) | null,
  brings: boolean,
): void {
  if (!/^\s*<(task|agent)-notification>/.test(text)) return;
  // Ids and status come first, but behind a path that can be long.
  const told = tagContent(text, "status") === null && wholeText ? wholeText() : text;
  const status = tagContent(told, "status");
  // 2.0.76 calls it `agent-id`; `tool-use-id` came with 2.1.110.
  const agentId = tagContent(told, "task-id") ?? tagContent(told, "agent-id");
  const toolUseId = tagContent(told, "tool-use-id");
  if (status === null || (agentId === null && toolUseId === null)) return;
  table.notices.push({ agentId, toolUseId, record, status, brings });
}
