import { attachmentLevel } from "@/lib/log/adding/levels";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { ReadableRecord } from "@/lib/log/records/session-record";
import type { Examination } from "./examination";

type In = { file: number; isAgent: boolean; isJournal: boolean };

/** Counts the parts of a record, and checks it against the rules that a single line can violate. Returns its version. */
export function checkRecord(
  examination: Examination,
  record: ReadableRecord,
  { file, isAgent, isJournal }: In,
): string {
  const { links, types } = examination;
  const version = asString(record.logged.version) ?? "";
  const known = isJournal || isKnown(record);
  types.add(isJournal ? `journal/${typeName(record)}` : typeName(record), version, known);
  if (!known) examination.find("unknown-type", record.at, typeName(record));
  const isMessage = record.kind === "user" || record.kind === "assistant";
  checkFields(examination, record, isMessage);
  links.addRecord(file, record);
  if (isMessage) {
    if (isAgent && !record.isSidechain)
      examination.find("sidechain-mark", record.at, `type ${typeName(record)}`);
    checkContent(examination, record);
    for (const block of record.blocks) checkBlock(examination, record, block, version, file);
  }
  if (record.kind === "assistant") examination.stopReasons.add(record.stopReason ?? "null", version);
  return version;
}

/** The type as its client wrote it, with the subtype that distinguishes its records: `system/turn_duration`. */
function typeName(record: ReadableRecord): string {
  const type = asString(record.logged.type) ?? "no type";
  switch (type) {
    case "system":
      return `system/${asString(record.logged.subtype) ?? "no subtype"}`;
    case "progress":
      return `progress/${asString(asObject(record.logged.data)?.type) ?? "no type"}`;
    case "attachment":
      return `attachment/${asString(asObject(record.logged.attachment)?.type) ?? "no type"}`;
    default:
      return type === "" ? "no type" : type;
  }
}

function isKnown(record: ReadableRecord): boolean {
  if (record.kind === "attachment") return attachmentLevel(record.attachmentType).known;
  return record.kind !== "unknown";
}

/** Fields that every message must have; `parentUuid` may be null but not absent. */
const REQUIRED = ["uuid", "parentUuid", "sessionId", "type", "timestamp", "message"] as const;
const STRINGS = ["uuid", "parentUuid", "sessionId", "agentId", "version", "cwd", "type"] as const;

function checkFields(examination: Examination, { at, logged }: ReadableRecord, isMessage: boolean): void {
  if (isMessage) {
    const missing = REQUIRED.filter((field) => logged[field] === undefined);
    if (missing.length > 0) examination.find("required-fields", at, `without ${missing.join(", ")}`);
  }
  const wrong: string[] = STRINGS.filter(
    (field) => logged[field] !== undefined && logged[field] !== null && typeof logged[field] !== "string",
  );
  if (isMessage && logged.message !== undefined && asObject(logged.message) === null) wrong.push("message");
  if (wrong.length > 0)
    examination.find("wrong-type", at, wrong.map((field) => `${field}: ${kindOf(logged[field])}`).join(", "));
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

function checkContent(examination: Examination, { at, json }: ReadableRecord): void {
  const message = asObject(json.message);
  if (!message) return;
  const { content } = message;
  if (typeof content === "string") return;
  if (!Array.isArray(content)) examination.find("content-shape", at, `content: ${kindOf(content)}`);
  else if (content.some((block) => asObject(block) === null))
    examination.find("content-shape", at, "a block that is no object");
}

function checkBlock(
  examination: Examination,
  record: ReadableRecord,
  block: ContentBlock,
  version: string,
  file: number,
): void {
  const { blocks, links, tools } = examination;
  const known = block.kind !== "unknown";
  blocks.add(block.type || "no type", version, known);
  if (!known) examination.find("unknown-block", record.at, block.type || "no type");
  if (block.kind === "media") checkMedia(examination, record, block.json);
  if (block.kind === "tool-use") {
    tools.add(block.name, version);
    links.addCall(file, record, block.id);
  }
  if (block.kind !== "tool-result") return;
  links.addResult(file, record, block.toolUseId);
  for (const inner of block.content) {
    if (inner.kind === "media") checkMedia(examination, record, inner.json);
    if (inner.kind !== "unknown" || typeof inner.json.type !== "string") continue;
    // ToolSearch answers with references (2.1.29); they are shown unchanged.
    if (inner.type !== "tool_reference")
      examination.find("unknown-block", record.at, `${inner.type} in a result`);
  }
}

const MEDIA = /^(image\/(png|jpeg|gif|webp)|application\/pdf|text\/plain)$/;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}$/;

function checkMedia(examination: Examination, { at }: ReadableRecord, { type, source }: JsonObject): void {
  const from = asObject(source);
  if (from?.type !== "base64") return; // a url, a text, a file's id
  const media = asString(from.media_type) ?? "";
  const data = asString(from.data);
  if (!MEDIA.test(media))
    examination.find("image-encoding", at, `${asString(type)}: media type ${media || "missing"}`);
  else if (data === null || !BASE64.test(data))
    examination.find("image-encoding", at, `${asString(type)}: not base64`);
}
