import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord, UserRecord } from "@/lib/log/records/session-record";
import { userTextKind } from "@/lib/log/table/user-text";
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
 * Every text of a record: what was said in its blocks, then each string of the rest of the line. The
 * bytes of images are no text. Index and deep search both read through this, so a text is found by
 * exactly one of them.
 */
export function recordTexts(record: SessionRecord): RecordText[] {
  if (record.kind === "unreadable") return [];
  const texts: RecordText[] = [];
  const { json } = record;
  switch (record.kind) {
    case "user":
      userTexts(record, texts);
      pushLeaves(json.toolUseResult, resultPlace(record.blocks), "output", texts);
      break;
    case "assistant":
      for (const [place, block] of record.blocks.entries()) assistantText(block, place, texts);
      break;
    case "attachment": {
      const prompt = record.attachmentType === "queued_command" ? promptOf(record.attachment.prompt) : null;
      pushQueued(texts, prompt);
      pushLeaves(
        prompt === null ? record.attachment : omit(record.attachment, "prompt"),
        0,
        "attachment",
        texts,
      );
      break;
    }
    case "progress":
      pushLeaves(record.data, 0, "output", texts);
      break;
    default:
      if (isEnqueued(json)) pushQueued(texts, asString(json.content));
  }
  const said = record.kind === "user" || record.kind === "assistant";
  const rest = said ? { ...json, message: omit(asObject(json.message) ?? {}, "content") } : json;
  for (const [key, value] of Object.entries(rest)) {
    if (key === "toolUseResult" || key === "attachment" || (key === "data" && record.kind === "progress"))
      continue;
    if (key === "content" && isEnqueued(json)) continue;
    pushLeaves(value, 0, "meta", texts);
  }
  return texts;
}

/** The texts of a record that the index holds. Cheaper than `recordTexts`: the rest of the line is not walked. */
export function indexedTexts(record: SessionRecord): RecordText[] {
  const texts: RecordText[] = [];
  if (record.kind === "user") userTexts(record, texts);
  else if (record.kind === "assistant") {
    for (const [place, block] of record.blocks.entries()) assistantText(block, place, texts);
  } else if (record.kind === "attachment" && record.attachmentType === "queued_command") {
    pushQueued(texts, promptOf(record.attachment.prompt));
  } else if (record.kind === "metadata" && isEnqueued(record.json)) {
    pushQueued(texts, asString(record.json.content));
  }
  return texts.filter((text) => text.indexed);
}

/** True for a record whose indexed texts must be read from the whole line, not from a shortened one. */
export function holdsIndexedText(record: SessionRecord): boolean {
  if (record.kind === "user") return !record.blocks.some((block) => block.kind === "tool-result");
  if (record.kind === "attachment") return record.attachmentType === "queued_command";
  return record.kind === "assistant" || (record.kind === "metadata" && isEnqueued(record.json));
}

/** 2.0.42–2.1.42 log a prompt typed while the model worked here and nowhere else. */
function isEnqueued(json: JsonObject): boolean {
  return json.type === "queue-operation" && json.operation === "enqueue" && typeof json.content === "string";
}

/** Words beside a result stand on lines that are read shortened, so they are not indexed. */
function userTexts(record: UserRecord, texts: RecordText[]): void {
  const hasResult = record.blocks.some((block) => block.kind === "tool-result");
  for (const [place, block] of record.blocks.entries()) {
    if (block.kind === "tool-result") resultTexts(block, place, texts);
    else if (block.kind === "text")
      push(texts, hasResult ? place : 0, userField(record, block.text), block.text, !hasResult);
    else pushBlock(block, hasResult ? place : 0, "attachment", texts);
  }
}

function userField(record: UserRecord, text: string): SearchField {
  if (record.isCompactSummary) return "text";
  const kind = userTextKind(text);
  if (kind === "notification") return "returned";
  return !record.isMeta && (kind === "prompt" || kind === "command" || kind === "bash") ? "prompt" : "output";
}

/** What waits for the model was typed by a person, or was reported by work in the background. */
function pushQueued(texts: RecordText[], text: string | null): void {
  if (text === null) return;
  push(texts, 0, userTextKind(text) === "notification" ? "returned" : "prompt", text, true);
}

function assistantText(block: ContentBlock, place: number, texts: RecordText[]): void {
  switch (block.kind) {
    case "text":
      push(texts, place, "text", block.text, true);
      return;
    case "thinking":
      push(texts, place, "thinking", block.text, true);
      return;
    case "tool-use":
      push(texts, place, "input", inputText(block.input) || block.name, true, block.name);
      pushLeaves(omit(block.json, "input"), place, "meta", texts);
      return;
    case "tool-result":
      resultTexts(block, place, texts);
      return;
    default:
      pushBlock(block, place, "meta", texts);
  }
}

function resultTexts(
  block: Extract<ContentBlock, { kind: "tool-result" }>,
  place: number,
  texts: RecordText[],
): void {
  pushLeaves(block.json.content, place, "output", texts);
  pushLeaves(omit(block.json, "content"), place, "meta", texts);
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

function pushBlock(block: ContentBlock, place: number, field: SearchField, texts: RecordText[]): void {
  pushLeaves(block.json, place, field, texts);
}

function pushLeaves(value: unknown, place: number, field: SearchField, texts: RecordText[]): void {
  if (value !== undefined) eachString(value, (text) => push(texts, place, field, text, false));
}

function push(
  texts: RecordText[],
  block: number,
  field: SearchField,
  text: string,
  indexed: boolean,
  tool: string | null = null,
): void {
  if (text !== "") texts.push({ block, field, text, indexed, tool });
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
