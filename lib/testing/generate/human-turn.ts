import { noisePng } from "./attachments";
import { type SessionContext, textSize } from "./session-context";
import { isoTime, pass, type Transcript, writeNode, writeRecord } from "./transcript";

/** Writes a human prompt under `parent`: a string, or text with a pasted picture. Returns its text. */
export function writePrompt(transcript: Transcript, parent: string | null): string {
  const { context } = transcript;
  const { truth, random, planter, plan } = context;
  pass(context, 90_000);
  const text = planter.plant("prompt", promptText(context));
  const picture = random.chance(0.03) && plan.bytes > 200_000;
  const content = picture
    ? [
        { type: "text", text: `[Image #1] ${text}` },
        {
          type: "image",
          source: {
            type: "base64",
            media_type: "image/png",
            data: noisePng(random.int(0, 1 << 30), random.int(12, 50)),
          },
        },
      ]
    : text;
  if (picture) truth.images++;
  startTurn(context);
  writeSnapshot(transcript);
  const body = { type: "user", message: { role: "user", content } };
  const uuid = writeNode(transcript, parent, body, promptTail(context));
  planter.claim(uuid, null, text);
  if (truth.turns === 1) {
    truth.firstPrompt = picture ? `[Image #1] ${text}` : text;
    truth.title = truth.firstPrompt;
  }
  context.contextTokens += Math.ceil(text.length / 3.5);
  return text;
}

/**
 * A prompt typed while a tool ran. 2.1.330 keeps it as an attachment; the older ones write no user
 * line at all, only what went into the queue and that it left it.
 */
export function writeQueuedPrompt(transcript: Transcript): void {
  const { context } = transcript;
  const { plan, dialect, random } = context;
  const text = promptText(context);
  const queue = (operation: string, more: object = {}) =>
    writeRecord(transcript, {
      type: "queue-operation",
      operation,
      timestamp: isoTime(context.nowMs),
      sessionId: plan.id,
      ...more,
    });
  queue("enqueue", { content: text });
  pass(context, 1500);
  queue("remove");
  startTurn(context);
  if (dialect.extras !== "attachments") return;
  const timestamp = isoTime(context.nowMs);
  const attachment = {
    type: "queued_command",
    prompt: text,
    source_uuid: random.uuid(),
    delivery_id: random.uuid(),
    commandMode: "prompt",
    origin: { kind: "human" },
    timestamp,
    humanTurn: true,
  };
  const rendered = `<system-reminder>\nThe user sent a new message while you were working:\n${text}\n</system-reminder>`;
  const tail = { rendered: [{ content: rendered }], renderedRole: "system", session_id: plan.id };
  writeNode(transcript, transcript.leaf, { attachment, type: "attachment" }, tail);
}

/** The line by which the client notes that its user pressed Esc. No turn of its own. */
export function writeInterruption(transcript: Transcript): void {
  const content = [{ type: "text", text: "[Request interrupted by user for tool use]" }];
  writeNode(transcript, transcript.leaf, { type: "user", message: { role: "user", content } });
}

/** A background agent's end, told to the model as a user line that no human wrote (2.1.330). */
export function writeTaskNotification(transcript: Transcript, agentId: string): void {
  const { context } = transcript;
  pass(context, 8000);
  context.promptId = context.random.uuid();
  const content = `<task-notification>\n<task-id>${agentId}</task-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n</task-notification>`;
  writeNode(
    transcript,
    transcript.leaf,
    { type: "user", message: { role: "user", content } },
    {
      permissionMode: "bypassPermissions",
      origin: { kind: "task-notification", producer: "session-task" },
      promptSource: "system",
      turnOrigin: "task_notification",
      queueSkipAttachments: true,
    },
  );
}

function startTurn(context: SessionContext): void {
  context.truth.turns++;
  context.turnIndex++;
  context.promptId = context.random.uuid();
}

function promptTail({ dialect, turnIndex }: SessionContext): Record<string, unknown> {
  if (dialect.extras === "snapshots")
    return { thinkingMetadata: { level: "high", disabled: false, triggers: [] }, todos: [] };
  if (dialect.extras === "progress") return { permissionMode: "bypassPermissions" };
  return {
    permissionMode: "bypassPermissions",
    origin: { kind: "human" },
    promptSource: "typed",
    turnOrigin: "human",
    turnPosition: { promptIndex: turnIndex - 1, turnIndex },
  };
}

function writeSnapshot(transcript: Transcript): void {
  const { context } = transcript;
  const messageId = context.random.uuid();
  writeRecord(transcript, {
    type: "file-history-snapshot",
    messageId,
    snapshot: { messageId, trackedFileBackups: {}, timestamp: isoTime(context.nowMs) },
    isSnapshotUpdate: false,
  });
}

function promptText(context: SessionContext): string {
  const { random, prose } = context;
  const text = prose.sentences(textSize(context, 140, 0.8));
  if (!random.chance(0.08)) return text;
  return `${text}\n\n\`\`\`\n${prose.output(textSize(context, 900))}\n\`\`\``;
}
