import { type Json, pass, type Transcript, writeNode, writeRecord } from "./transcript";

/** Writes the result of one call under `parent` and returns the leaf after it, progress lines included. */
export function writeResult(
  transcript: Transcript,
  call: ToolCall,
  toolUseId: string,
  callUuid: string,
  parent: string,
): string {
  const { context, agentId } = transcript;
  const { dialect, truth, random, planter } = context;
  const block = call.isError
    ? { type: "tool_result", content: call.content, is_error: true, tool_use_id: toolUseId }
    : {
        tool_use_id: toolUseId,
        type: "tool_result",
        content: call.content,
        ...(call.name === "Bash" ? { is_error: false } : {}),
      };
  // Absent on sub-agents' lines from 2.1.29 on.
  const structured =
    agentId !== null && dialect.parallel === "fan" ? {} : { toolUseResult: call.toolUseResult };
  const source = dialect.parallel === "fan" ? { sourceToolAssistantUUID: callUuid } : {};
  const decision =
    dialect.extras === "attachments"
      ? { permissionDecision: { decision: "accept", source: "config", reasonType: "mode" } }
      : {};
  pass(context, Math.max(5, call.durationMs));
  if (call.isError) truth.toolErrors++;
  truth.images += call.images;
  if (call.change) addChange(transcript, call.change);
  context.contextTokens += Math.ceil((typeof call.content === "string" ? call.content.length : 1500) / 3.5);
  if (call.persisted) writePersisted(transcript, call.persisted);
  const body = { type: "user", message: { role: "user", content: [block] } };
  const uuid = writeNode(transcript, parent, body, { ...structured, ...source, ...decision });
  planter.claim(uuid, agentId, call.content);
  if (dialect.extras === "progress" && random.chance(0.4)) {
    const hook = { hookEvent: "PostToolUse", hookName: `PostToolUse:${call.name}`, command: "callback" };
    return writeProgress(transcript, uuid, { type: "hook_progress", ...hook }, toolUseId, toolUseId);
  }
  return uuid;
}

/** A progress line (2.1.29–2.1.42). Those of hooks are parents of what follows, the others dead ends. */
export function writeProgress(
  transcript: Transcript,
  parent: string,
  data: Record<string, unknown>,
  parentToolUseID: string,
  toolUseID: string,
): string {
  return writeNode(transcript, parent, { type: "progress", data, parentToolUseID, toolUseID });
}

/** The record by which file history follows a change: a snapshot, or a delta in 2.1.330. */
export function writeFileHistory(transcript: Transcript, path: string, messageUuid: string): void {
  const { context } = transcript;
  if (transcript.agentId !== null) return;
  const backupTime = new Date(context.nowMs).toISOString();
  const backup = { backupFileName: `${context.random.hex(16)}@v1`, version: 1, backupTime };
  const trackingPath = path.slice(context.plan.cwd.length + 1);
  writeRecord(
    transcript,
    context.dialect.extras === "attachments"
      ? {
          type: "file-history-delta",
          messageId: messageUuid,
          snapshotMessageId: messageUuid,
          trackingPath,
          backup: { ...backup, realParentDir: context.plan.cwd },
          timestamp: backupTime,
        }
      : {
          type: "file-history-snapshot",
          messageId: context.random.uuid(),
          snapshot: {
            messageId: messageUuid,
            trackedFileBackups: { [trackingPath]: backup },
            timestamp: backupTime,
          },
          isSnapshotUpdate: true,
        },
  );
}

function addChange(transcript: Transcript, change: { path: string; added: number; removed: number }): void {
  const { files } = transcript.context.truth;
  const file = (files[change.path] ??= { added: 0, removed: 0, calls: 0 });
  file.added += change.added;
  file.removed += change.removed;
  file.calls++;
}

function writePersisted({ context }: Transcript, { name, text }: { name: string; text: string }): void {
  const { plan, storage, truth, nowMs } = context;
  const file = storage.open(`projects/${plan.slug}/${plan.id}/tool-results/${name}`);
  truth.bytes += file.append(text);
  file.close(nowMs);
}

/** A call that a message makes, and what will come of it. */
export type ToolCall = {
  name: string;
  input: Json;
  isError: boolean;
  /** The result block's content: text, or blocks. */
  content: string | Json[];
  /** The client's own structured result; left out on sub-agents' lines from 2.1.29 on. */
  toolUseResult: unknown;
  /** How long it takes, in milliseconds. */
  durationMs: number;
  /** The change of a file that the result records. */
  change: { path: string; added: number; removed: number } | null;
  images: number;
  /** An output file beside the log, named without folder, with its text. */
  persisted: { name: string; text: string } | null;
  /** Starts an agent in place of the content above. */
  agent: { description: string; prompt: string; type: string; background: boolean } | null;
};

/** A call that succeeded and left nothing behind. */
export function plainCall(name: string, input: Json, content: string, toolUseResult: unknown): ToolCall {
  return {
    name,
    input,
    isError: false,
    content,
    toolUseResult,
    durationMs: 30,
    change: null,
    images: 0,
    persisted: null,
    agent: null,
  };
}

/** The same call, failed with the text that the model is given. */
export function failedCall(call: ToolCall, message: string): ToolCall {
  return {
    ...call,
    isError: true,
    content: message,
    toolUseResult: `Error: ${message}`,
    change: null,
    images: 0,
    persisted: null,
  };
}
