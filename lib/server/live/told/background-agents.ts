import { tagContent, userTextKind } from "@/lib/log/adding/user-text";
import { asObject, asString } from "@/lib/log/records/json";
import type { UserRecord } from "@/lib/log/records/session-record";

/** The agent that runs a skill which was called as a command, `null` where none was: the model has not seen that (2.1.330). */
export function launchedBySkill(text: string): string | null {
  const [, agentId] = /<forked-skill-launch>\{"agentId":"([^"\\]+)"/.exec(text) ?? [];
  return agentId ?? null;
}

/**
 * From 2.0.76 on an agent may run in the background: its call ends at once, a notification reports its end. A message to
 * one that has ended sets it going again (2.1.200 and later).
 */
export function noteBackground(background: Set<string>, { toolUseResult, blocks }: UserRecord): void {
  const result = asObject(toolUseResult);
  const agentId = asString(result?.agentId);
  if (agentId && result?.status === "async_launched") background.add(agentId);
  const resumed = asString(result?.resumedAgentId);
  if (resumed) background.add(resumed);
  // TaskOutput and TaskStop report the state of a task, or that it was stopped.
  const task = asObject(result?.task);
  const taskId = asString(task?.task_id);
  if (taskId && task?.status !== "running" && task?.status !== "pending") background.delete(taskId);
  const stopped = asString(result?.task_id);
  if (stopped) background.delete(stopped);
  for (const block of blocks) if (block.kind === "text") forgetEnded(background, block.text);
}

/** Takes the agent out whose end a text reports; a text that reports none changes nothing. */
export function forgetEnded(background: Set<string>, text: string | null): void {
  if (text === null || userTextKind(text) !== "notification") return;
  // 2.0.76 has a tag of its own for agents.
  const ended = tagContent(text, "task-id") ?? tagContent(text, "agent-id");
  if (ended !== null) background.delete(ended);
}
