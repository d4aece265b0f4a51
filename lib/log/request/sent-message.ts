import type { ContentBlock } from "@/lib/log/records/content-block";
import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AssistantRecord, SessionRecord, UserRecord } from "@/lib/log/records/session-record";
import { toolNamed } from "@/lib/tools/tools";

/** A message as the Messages API takes it. */
export type SentMessage = { role: "user" | "assistant" | "system"; content: JsonObject[] };

/** The client adds its own notices around these texts; their wording is in its request log (2.1.330) and not here. */
const QUEUED_HEAD = "The user sent a new message while you were working:\n";
const QUEUED_TAIL = "\n\n[a notice of the client's own]\n";
const NOTIFICATION_HEAD = "[SYSTEM NOTIFICATION - NOT USER INPUT]\n[a notice of the client's own]\n\n";
/** The text that the client adds behind the result of a search for tools. */
export const TOOL_LOADED = "Tool loaded.";

/** The message that a record sends, `null` for one that is not sent. Bookkeeping and reminders are not rebuilt. */
export function sentBy(record: SessionRecord): SentMessage | null {
  switch (record.kind) {
    case "user":
      return sentByUser(record);
    case "assistant":
      // API errors are for the reader; other lines that the client wrote in the model's name are sent.
      return record.isApiError
        ? null
        : { role: "assistant", content: record.blocks.map((block) => assistantBlock(block, record)) };
    case "system": {
      const text = asString(record.json.content);
      if (record.subtype !== "local_command" || record.json.isDisplayOnly === true || text === null)
        return null;
      return { role: "user", content: [textBlock(text)] };
    }
    case "attachment":
      return sentByAttachment(record.attachmentType, record.attachment);
    default:
      return null;
  }
}

function sentByUser(record: UserRecord): SentMessage | null {
  const { json } = record;
  const content = record.blocks.map((block) => block.json);
  if (asString(asObject(json.origin)?.kind) === "task-notification") {
    // 2.1.330 sends it as a reminder; 2.1.220 states that no person wrote it.
    if (json.turnOrigin !== undefined) return null;
    return {
      role: "user",
      content: content.map((block) =>
        block.type === "text" ? textBlock(`${NOTIFICATION_HEAD}${asString(block.text) ?? ""}`) : block,
      ),
    };
  }
  const loaded = record.blocks.some(
    (block) =>
      block.kind === "tool-result" &&
      asArray(block.json.content).some((one) => asObject(one)?.type === "tool_reference"),
  );
  return { role: "user", content: loaded ? [...content, textBlock(TOOL_LOADED)] : content };
}

function sentByAttachment(type: string, attachment: JsonObject): SentMessage | null {
  if (type !== "queued_command") return null;
  const blocks =
    typeof attachment.prompt === "string"
      ? [textBlock(attachment.prompt)]
      : asArray(attachment.prompt)
          .map(asObject)
          .filter((block) => block !== null);
  // Without `humanTurn` (2.1.110, 2.1.220, every notification) it is sent with the role `system`.
  if (attachment.humanTurn !== true) return { role: "system", content: blocks };
  return {
    role: "user",
    content: blocks.map((block) =>
      block.type === "text" ? textBlock(`${QUEUED_HEAD}${asString(block.text) ?? ""}${QUEUED_TAIL}`) : block,
    ),
  };
}

function assistantBlock(block: ContentBlock, record: AssistantRecord): JsonObject {
  if (block.kind !== "tool-use") return block.json;
  const tool = toolNamed(block.name);
  const added = tool?.loggedOnly;
  // Before 2.0.76 lines have no plan slug, and the plan is the model's own input.
  if (!added || (tool.name === "ExitPlanMode" && record.json.slug === undefined)) return block.json;
  const input = Object.fromEntries(Object.entries(block.input).filter(([key]) => !added.includes(key)));
  return { ...block.json, input };
}

/** A block of text in the form that the API takes. */
export function textBlock(text: string): JsonObject {
  return { type: "text", text };
}
