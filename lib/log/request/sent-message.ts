import { compareVersions } from "@/lib/format/text";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asArray, asObject, asString, type JsonObject, writable } from "@/lib/log/records/json";
import type {
  AssistantRecord,
  AttachmentRecord,
  SessionRecord,
  UserRecord,
} from "@/lib/log/records/session-record";
import { toolNamed } from "@/lib/tools/tools";

/** A message as the Messages API takes it. */
export type SentMessage = { role: "user" | "assistant" | "system"; content: JsonObject[] };

/** The client adds its own notices around these texts; their wording is in its request log (2.1.330) and not here. */
const QUEUED_HEAD = "The user sent a new message while you were working:\n";
const QUEUED_TAIL = "\n\n[a notice of the client's own]\n";
const NOTIFICATION_HEAD = "[SYSTEM NOTIFICATION - NOT USER INPUT]\n[a notice of the client's own]\n\n";
/** The text that the client adds behind the result of a search for tools. */
export const TOOL_LOADED = "Tool loaded.";

/** The first version that sends a command that it ran itself and logged as a line of the system's (2.1.62 does not). */
const LOCAL_COMMANDS_SINCE = "2.1.63";
/** The first version that puts words of its own before a report that begins a turn (2.1.170 to 2.1.204 send it bare). */
const NOTIFICATION_HEAD_SINCE = "2.1.205";
/** The first version that sends such a report as a reminder. */
const NOTIFICATION_REMINDER_SINCE = "2.1.234";

/**
 * The message that a record sends, `null` for one that is not sent. Bookkeeping and reminders are not rebuilt.
 * Written as JSON, it does not overflow the stack, however deep its line nests.
 * @param client the version that sends it, which may be another than wrote the record; "" where it is not known
 */
export function sentBy(record: SessionRecord, client: string): SentMessage | null {
  const message = messageOf(record, client);
  return message && { ...message, content: message.content.map(writable) };
}

function messageOf(record: SessionRecord, client: string): SentMessage | null {
  switch (record.kind) {
    case "user":
      return sentByUser(record, client);
    case "assistant":
      // API errors are for the reader; other lines that the client wrote in the model's name are sent.
      return record.isApiError
        ? null
        : { role: "assistant", content: record.blocks.map((block) => assistantBlock(block, record)) };
    case "system": {
      const text = asString(record.json.content);
      if (record.subtype !== "local_command" || record.json.isDisplayOnly === true || text === null)
        return null;
      if (client !== "" && compareVersions(client, LOCAL_COMMANDS_SINCE) < 0) return null;
      return { role: "user", content: [textBlock(text)] };
    }
    case "attachment":
      return sentByAttachment(record);
    default:
      return null;
  }
}

function sentByUser(record: UserRecord, client: string): SentMessage | null {
  const { json } = record;
  const content = record.blocks.map((block) => block.json);
  if (asString(asObject(json.origin)?.kind) === "task-notification") return sentReport(content, client);
  // 2.1.332: what the client says in its own name, as where an answer reached its token limit.
  if (json.ownNote === true) return { role: "user", content: content.map((block) => asReminder(block)) };
  // 2.1.332: what a hook said at a turn's end, below what the client says of such words.
  if (json.hookText === true) {
    const lead = asString(json.hookTextLead);
    return { role: "user", content: content.map((block) => asReminder(block, lead)) };
  }
  const loaded = record.blocks.some(
    (block) =>
      block.kind === "tool-result" &&
      asArray(block.json.content).some((one) => asObject(one)?.type === "tool_reference"),
  );
  return { role: "user", content: loaded ? [...content, textBlock(TOOL_LOADED)] : content };
}

function asReminder(block: JsonObject, lead: string | null = null): JsonObject {
  if (block.type !== "text") return block;
  const head = lead === null ? "" : `${lead}\n`;
  return textBlock(`<system-reminder>\n${head}${asString(block.text) ?? ""}\n</system-reminder>`);
}

/**
 * A report of a background agent or command that begins a turn. The client gives it its words as it sends it, by its own
 * version alone: 2.1.204 and 2.1.205 write the same line, and each sends that of the other as it sends its own.
 */
function sentReport(content: JsonObject[], client: string): SentMessage | null {
  if (compareVersions(client, NOTIFICATION_REMINDER_SINCE) >= 0) return null;
  if (client !== "" && compareVersions(client, NOTIFICATION_HEAD_SINCE) < 0) return { role: "user", content };
  return { role: "user", content: withHead(content) };
}

/** With the words by which the client says that no person wrote it. */
function withHead(content: JsonObject[]): JsonObject[] {
  return content.map((block) =>
    block.type === "text" ? textBlock(`${NOTIFICATION_HEAD}${asString(block.text) ?? ""}`) : block,
  );
}

/** What came while the model was at work: a person's message, or a report. Or a picture that a prompt mentions. */
function sentByAttachment({ attachmentType, attachment, json }: AttachmentRecord): SentMessage | null {
  if (attachmentType === "file") return sentByMention(attachment);
  if (attachmentType !== "queued_command") return null;
  const rendered = renderedTypes(json.rendered);
  const blocks =
    typeof attachment.prompt === "string"
      ? [textBlock(attachment.prompt)]
      : asArray(attachment.prompt)
          .map(asObject)
          .filter((block) => block !== null)
          .filter(({ type }) => rendered?.has(type) ?? true);
  const isReport = attachment.commandMode === "task-notification";
  const content = isReport ? withHead(blocks) : blocks.map(withQueuedWords);
  // Without `humanTurn` (2.1.170 to 2.1.234, every report) it is sent with the role `system`, unless it is a prompt of an
  // SDK's (2.1.332).
  const isHuman = attachment.humanTurn === true || attachment.hostsOwnTurn === true;
  return { role: isHuman ? "user" : "system", content };
}

/** A picture that a prompt mentions (`@logo.png`); a file of any other kind is sent as a reminder (2.0.76 to 2.1.332). */
function sentByMention({ content }: JsonObject): SentMessage | null {
  const { type, file } = asObject(content) ?? {};
  const picture = asObject(file);
  const data = asString(picture?.base64);
  if (type !== "image" || data === null) return null;
  const source = { type: "base64", data, media_type: asString(picture?.type) ?? "" };
  return { role: "user", content: [{ type, source }] };
}

/** The types of block that were made of an attachment: 2.1.332 sends no document of a queued prompt. `null` where no line says so. */
function renderedTypes(rendered: unknown): Set<unknown> | null {
  const contents = asArray(rendered).map((one) => asObject(one)?.content);
  if (contents.length === 0) return null;
  return new Set(
    contents.flatMap((content) =>
      typeof content === "string" ? "text" : asArray(content).map((block) => asObject(block)?.type),
    ),
  );
}

function withQueuedWords(block: JsonObject): JsonObject {
  if (block.type !== "text") return block;
  return textBlock(`${QUEUED_HEAD}${asString(block.text) ?? ""}${QUEUED_TAIL}`);
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
