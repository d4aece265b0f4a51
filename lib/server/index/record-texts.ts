import { isNotedCompaction, isToldToAgent } from "@/lib/log/adding/add-user";
import { systemLevel } from "@/lib/log/adding/levels";
import { isNotification, notificationTexts } from "@/lib/log/adding/notification";
import { textPrefix } from "@/lib/log/adding/text-prefix";
import { commandLine, typedText, userTextKind } from "@/lib/log/adding/user-text";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type {
  AttachmentRecord,
  SessionRecord,
  SystemRecord,
  UserRecord,
} from "@/lib/log/records/session-record";
import { commandTexts } from "@/lib/log/rows/events";
import { Level } from "@/lib/log/table/kinds";
import type { SearchField } from "@/lib/wire/search";

/**
 * One searchable text of a record. `indexed`: it goes into the full-text index; all others are found
 * by reading the logs. `tool` names the call that an input belongs to.
 */
export type RecordText = {
  block: number;
  field: SearchField;
  text: string;
  indexed: boolean;
  tool: string | null;
};

/**
 * The fields that may contain texts which are not indexed: a search in other fields need not read a log that has been
 * indexed.
 */
export const UNINDEXED_FIELDS = [
  "prompt",
  "command",
  "text",
  "output",
  "returned",
  "attachment",
  "meta",
  "raw",
] as const satisfies readonly SearchField[];

/**
 * Every text of a record: what was said in its blocks, then each string of the rest of the line. The bytes of images
 * are no text. The index and the search of the logs both use this, so each text is found by exactly one of them.
 */
export function recordTexts(record: SessionRecord): RecordText[] {
  if (record.kind === "unreadable") return [];
  const texts: RecordText[] = [];
  const { json } = record;
  switch (record.kind) {
    case "user":
      userTexts(record, texts);
      pushLeaves(texts, { block: resultPlace(record.blocks), field: "output" }, json.toolUseResult);
      break;
    case "assistant":
      for (const [place, block] of record.blocks.entries()) assistantText(block, place, texts);
      break;
    case "attachment": {
      const prompt = queuedPrompt(record);
      pushQueued(texts, prompt);
      const rest = prompt === null ? record.attachment : omit(record.attachment, "prompt");
      pushLeaves(texts, { block: 0, field: "attachment" }, rest);
      break;
    }
    case "progress":
      pushLeaves(texts, { block: 0, field: "output" }, record.data);
      break;
    default:
      if (isQueued(json, "enqueue")) pushQueued(texts, asString(json.content));
  }
  // A queued text is repeated in the message that the model was sent (2.1.330).
  const sent = record.kind === "attachment" ? (queuedPrompt(record) ?? "") : "";
  const said = record.kind === "user" || record.kind === "assistant";
  const rest = said ? { ...json, message: omit(asObject(json.message) ?? {}, "content") } : json;
  for (const [key, value] of Object.entries(rest)) {
    if (key === "toolUseResult" || key === "attachment" || (key === "data" && record.kind === "progress"))
      continue;
    // A line that removes a text from the queue repeats it (2.0.50, 2.1.330): it is found in the line that queued it.
    if (key === "content" && (isQueued(json, "enqueue") || isQueued(json, "remove"))) continue;
    const isShown = key === "content" && record.kind === "system" && isRow(record);
    const command = isShown && typeof value === "string" ? commandTexts(value) : null;
    if (command) pushShown(texts, { block: 0, field: "output", indexed: false }, command);
    else pushLeaves(texts, { block: 0, field: isShown ? "output" : "meta" }, value, sent);
  }
  return texts;
}

/** The texts of a record that the index contains. Cheaper than `recordTexts`: the rest of the line is not walked. */
export function indexedTexts(record: SessionRecord): RecordText[] {
  const texts: RecordText[] = [];
  if (record.kind === "user") userTexts(record, texts);
  else if (record.kind === "assistant") {
    for (const [place, block] of record.blocks.entries()) assistantText(block, place, texts);
  } else if (record.kind === "attachment") {
    pushQueued(texts, queuedPrompt(record));
  } else if (record.kind === "metadata" && isQueued(record.json, "enqueue")) {
    pushQueued(texts, asString(record.json.content));
  }
  return texts.filter((text) => text.indexed);
}

/** True for a record whose indexed texts must be read from the whole line, not from a shortened one. */
export function holdsIndexedText(record: SessionRecord): boolean {
  if (record.kind === "user") return !record.blocks.some((block) => block.kind === "tool-result");
  if (record.kind === "attachment") return record.attachmentType === "queued_command";
  return record.kind === "assistant" || (record.kind === "metadata" && isQueued(record.json, "enqueue"));
}

/** 2.0.42–2.1.42 log a prompt typed while the model worked here and nowhere else. */
function isQueued(json: JsonObject, operation: string): boolean {
  return json.type === "queue-operation" && json.operation === operation && typeof json.content === "string";
}

function queuedPrompt({ attachmentType, attachment }: AttachmentRecord): string | null {
  return attachmentType === "queued_command" ? promptOf(attachment.prompt) : null;
}

/**
 * A text that a log may contain twice: in its queue (`waits`) and in the line that delivered it. `by`: how the two are
 * matched. Notifications and commands have the same `text`; prompts, which people repeat, must also be near each other.
 */
export type QueueText = { text: string; waits: boolean; by: "text" | "place" };

/** The text of a line that queues or delivers one; null for any other record. */
export function queuedTextOf(record: SessionRecord): QueueText | null {
  let text: string | null = null;
  const waits = record.kind === "metadata";
  if (record.kind === "user") text = deliveredText(record);
  else if (record.kind === "attachment") text = queuedPrompt(record);
  else if (record.kind === "metadata" && isQueued(record.json, "enqueue"))
    text = asString(record.json.content);
  if (text === null) return null;
  if (isNotification(text)) return { text: text.trim(), waits, by: "text" };
  const typed = (record.kind === "user" && typedText(text)) || text;
  const kind = userTextKind(typed);
  if (kind === "command") return { text: commandLine(typed), waits, by: "text" };
  if (kind !== "prompt" || typed.trim() === "") return null;
  if (waits && typed.trim().startsWith("/")) return { text: typed.trim(), waits, by: "text" };
  return { text: textPrefix(typed), waits, by: "place" };
}

/** What a user line says on behalf of a person or of background work, null for other lines of that type. */
function deliveredText({ blocks, isMeta, isCompactSummary, isSidechain }: UserRecord): string | null {
  if (isCompactSummary || blocks.some(({ kind }) => kind === "tool-result")) return null;
  const text = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
  return isNotification(text) || !(isMeta || isSidechain) ? text : null;
}

/** Text beside a result is in lines that are read shortened, so it is not indexed. */
function userTexts(record: UserRecord, texts: RecordText[]): void {
  const hasResult = record.blocks.some((block) => block.kind === "tool-result");
  const own: RecordText[] = [];
  for (const [place, block] of record.blocks.entries()) {
    const at = hasResult ? place : 0;
    const indexed = !hasResult;
    if (block.kind === "tool-result") resultTexts(block, place, own);
    else if (block.kind === "text" && !record.isCompactSummary && isNotification(block.text))
      pushShown(own, { block: at, field: "returned", indexed }, notificationTexts(block.text));
    else if (block.kind === "text") {
      const field = userField(record, block.text);
      const command = field === "command" || field === "output" ? commandTexts(block.text) : null;
      pushShown(own, { block: at, field, indexed }, command ?? { shown: block.text, rest: "" });
    } else pushLeaves(own, { block: at, field: "attachment" }, block.json);
  }
  for (const text of joined(own)) texts.push(text);
}

/** The text of several blocks is joined, since it is one row: two texts would be hits at the same place. */
function joined(texts: readonly RecordText[]): RecordText[] {
  const firsts = new Map<SearchField, RecordText>();
  return texts.filter((one) => {
    if (!one.indexed) return true;
    const first = firsts.get(one.field);
    if (first) first.text += `\n${one.text}`;
    else firsts.set(one.field, one);
    return !first;
  });
}

/** By the kind of the line's row, so that the detail of a hit shows it. */
function userField(record: UserRecord, text: string): SearchField {
  if (record.isCompactSummary) return "text";
  const kind = userTextKind(text);
  if ((record.isMeta && !isToldToAgent(record)) || kind === "tagged") return "attachment";
  if (isNotedCompaction(record, text)) return "attachment";
  if (kind === "command" || kind === "bash") return "command";
  return kind === "prompt" ? "prompt" : "output";
}

/** Whether a line of the client's is shown with the calls, like a notice, or is bookkeeping. */
function isRow({ subtype, json }: SystemRecord): boolean {
  return systemLevel(subtype, json) < Level.everything;
}

/** A queued text was typed by a person, or reported by background work. */
function pushQueued(texts: RecordText[], text: string | null): void {
  if (text === null) return;
  if (isNotification(text))
    pushShown(texts, { block: 0, field: "returned", indexed: true }, notificationTexts(text));
  else push(texts, { block: 0, field: "prompt", text, indexed: true, tool: null });
}

/** As a reader sees it; the rest (ids, paths, notes for the model) is found like any other string of the line. */
function pushShown(
  texts: RecordText[],
  { block, field, indexed }: Pick<RecordText, "block" | "field" | "indexed">,
  { shown, rest }: { shown: string; rest: string },
): void {
  push(texts, { block, field, text: shown, indexed, tool: null });
  push(texts, { block, field: "meta", text: rest, indexed: false, tool: null });
}

function assistantText(block: ContentBlock, place: number, texts: RecordText[]): void {
  const indexed = true;
  switch (block.kind) {
    case "text":
      push(texts, { block: place, field: "text", text: block.text, indexed, tool: null });
      return;
    case "thinking":
      push(texts, { block: place, field: "thinking", text: block.text, indexed, tool: null });
      return;
    case "tool-use":
      push(texts, {
        block: place,
        field: "input",
        text: inputText(block.input) || block.name,
        indexed,
        tool: block.name,
      });
      pushLeaves(texts, { block: place, field: "meta" }, omit(block.json, "input"));
      return;
    case "tool-result":
      resultTexts(block, place, texts);
      return;
    default:
      pushLeaves(texts, { block: place, field: "meta" }, block.json);
  }
}

function resultTexts(
  block: Extract<ContentBlock, { kind: "tool-result" }>,
  place: number,
  texts: RecordText[],
): void {
  pushLeaves(texts, { block: place, field: "output" }, block.json.content);
  pushLeaves(texts, { block: place, field: "meta" }, omit(block.json, "content"));
}

/** The strings of a call's input, each on a line of its own. A call without any stands under its name. */
function inputText(input: JsonObject): string {
  const strings: string[] = [];
  eachString(input, (text) => strings.push(text));
  return strings.join("\n");
}

function resultPlace(blocks: readonly ContentBlock[]): number {
  return Math.max(
    0,
    blocks.findIndex((block) => block.kind === "tool-result"),
  );
}

function promptOf(prompt: unknown): string | null {
  if (typeof prompt === "string") return prompt;
  if (!Array.isArray(prompt)) return null;
  return prompt.map((block) => asString(asObject(block)?.text) ?? "").join("\n");
}

/** Every string of a value, for who reads the whole line. `known`: a text that is removed from them, since it is found on its own. */
function pushLeaves(
  texts: RecordText[],
  { block, field }: Pick<RecordText, "block" | "field">,
  value: unknown,
  known = "",
): void {
  if (value === undefined) return;
  eachString(value, (string) => {
    const text = known === "" ? string : string.replaceAll(known, "");
    push(texts, { block, field, text, indexed: false, tool: null });
  });
}

function push(texts: RecordText[], one: RecordText): void {
  if (one.text !== "") texts.push(one);
}

/** Every string in a value, in order, without recursion: logs nest as deep as they like. */
function eachString(value: unknown, take: (text: string) => void): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") take(next);
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at]);
    else if (typeof next === "object" && next !== null) {
      const isBase64 = "type" in next && next.type === "base64";
      const entries = Object.entries(next);
      for (let at = entries.length - 1; at >= 0; at--) {
        const [key, inner] = entries[at] as [string, unknown];
        if (!(isBase64 && key === "data")) open.push(inner);
      }
    }
  }
}

function omit(json: JsonObject, key: string): JsonObject {
  const { [key]: _left, ...rest } = json;
  return rest;
}
