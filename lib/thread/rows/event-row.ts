import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/records/json";
import type { SessionRecord } from "@/lib/records/session-record";
import type { BookkeepingRow, ContextRow, EventRow, UnknownRow, UnreadableRow } from "@/lib/wire/rows";
import { cutText, firstWords } from "../cut-text";
import { RecordKind } from "../kinds";
import { commandLine, tagContent, userTextKind } from "../user-text";
import { rowBase } from "./row-base";
import type { RowContext } from "./row-context";
import { promptOf } from "./turn-row";

const TEXT_LIMIT = 4_000;
const NOTE_LIMIT = 200;

type Event = { event: string; level: EventRow["level"]; label: string; text: string };

/** A record that is a row of its own: everything but prompts, answers, calls and compactions. */
export function recordRow(
  context: RowContext,
  record: number,
  turn: number,
): EventRow | ContextRow | BookkeepingRow | UnknownRow | UnreadableRow {
  const { table } = context;
  const base = rowBase(context, record, 0, turn);
  const logged = context.read(record);
  if (!logged || logged.kind === "unreadable") {
    const { length } = logged?.at ?? { length: table.records.get("length", record) };
    const place = { line: table.records.get("line", record), offset: table.records.get("offset", record), length };
    return { ...base, kind: "unreadable", reason: logged?.reason ?? "The file can no longer be read", ...place, text: cutText("", 0) };
  }
  const kind = table.records.get("kind", record);
  if (kind === RecordKind.unknown) {
    return { ...base, kind: "unknown", type: table.types.at(table.records.get("type", record)) ?? "", text: cutText(JSON.stringify(logged.json), TEXT_LIMIT) };
  }
  const event = eventOf(kind, logged);
  if (event) {
    const { event: name, level, label } = event;
    return { ...base, kind: "event", event: name, level, label, text: cutText(event.text, TEXT_LIMIT) };
  }
  const meta = contextOf(kind, logged);
  if (meta) return { ...base, kind: "context", label: meta.label, text: cutText(meta.text, TEXT_LIMIT) };
  const type = table.types.at(table.records.get("type", record)) ?? logged.type;
  return { ...base, kind: "bookkeeping", type, text: firstWords(noteOf(logged), NOTE_LIMIT) };
}

function eventOf(kind: number, record: SessionRecord): Event | null {
  switch (record.kind) {
    case "user":
      return userEvent(kind, promptOf(record));
    case "system":
      return systemEvent(record.subtype, record.json);
    case "attachment":
      return attachmentEvent(record.attachmentType, record.attachment);
    default:
      return null;
  }
}

function userEvent(kind: number, text: string): Event | null {
  switch (kind) {
    case RecordKind.command: {
      const isBash = userTextKind(text) === "bash";
      const label = isBash ? `! ${tagContent(text, "bash-input") ?? ""}` : commandLine(text);
      return { event: isBash ? "bash" : "command", level: "info", label, text: "" };
    }
    case RecordKind.commandOutput: {
      const tags = ["local-command-stdout", "bash-stdout", "local-command-stderr", "bash-stderr"];
      const parts = tags.map((tag) => tagContent(text, tag)).filter((part) => part !== null && part !== "");
      return { event: "command-output", level: "info", label: "Output", text: parts.length > 0 ? parts.join("\n") : plain(text) };
    }
    case RecordKind.interruption:
      return { event: "interrupted", level: "warning", label: text.includes("for tool use") ? "Interrupted during a tool call" : "Interrupted", text: "" };
    case RecordKind.notification: {
      const status = tagContent(text, "status");
      const level = status === "failed" || status === "killed" ? "warning" : "info";
      return { event: "notification", level, label: tagContent(text, "summary") ?? "Notification", text: tagContent(text, "result") ?? "" };
    }
    default:
      return null;
  }
}

/** A text in no tags as it is; one whose tags are empty as nothing. */
function plain(text: string): string {
  return userTextKind(text) === "output" && text.startsWith("<") ? "" : text;
}

function systemEvent(subtype: string, json: JsonObject): Event | null {
  const content = asString(json.content) ?? "";
  switch (subtype) {
    case "api_error": {
      const attempt = asNumber(json.retryAttempt);
      const max = asNumber(json.maxRetries);
      const error = asObject(json.error);
      const retry = attempt === null ? "" : `, retry ${attempt}${max === null ? "" : ` of ${max}`}`;
      const text = asString(error?.message) ?? (error ? JSON.stringify(error) : content);
      return { event: "api-error", level: "warning", label: `API error${retry}`, text };
    }
    case "local_command": {
      if (userTextKind(content) === "command") return { event: "command", level: "info", label: commandLine(content), text: "" };
      const output = tagContent(content, "local-command-stdout") ?? tagContent(content, "local-command-stderr") ?? content;
      return { event: "command-output", level: "info", label: "Output", text: output };
    }
    case "microcompact_boundary":
      return { event: "microcompaction", level: "info", label: "Old tool results cleared from the context", text: content };
    case "turn_duration":
    case "stop_hook_summary":
      return null;
    default:
      return { event: subtype, level: json.level === "error" ? "error" : json.level === "warning" ? "warning" : "info", label: subtype.replaceAll("_", " "), text: content };
  }
}

function attachmentEvent(type: string, attachment: JsonObject): Event | null {
  if (type.startsWith("hook_") || type === "async_hook_response") {
    const failed = /error|cancelled|stopped/.test(type);
    const parts = [attachment.content, attachment.stdout, attachment.stderr, attachment.message, asObject(attachment.blockingError)?.blockingError];
    const text = parts.map(asString).filter(Boolean).join("\n");
    const name = asString(attachment.hookName) ?? asString(attachment.hookEvent) ?? "";
    return { event: type, level: failed ? "warning" : "info", label: `Hook ${name}`.trim(), text };
  }
  if (type === "plan_mode" || type === "plan_mode_exit" || type === "plan_mode_reentry") {
    return { event: type, level: "info", label: type === "plan_mode_exit" ? "Left plan mode" : "Plan mode", text: "" };
  }
  if (type === "queued_command") {
    const text = promptOf({ kind: "attachment", attachment } as Extract<SessionRecord, { kind: "attachment" }>);
    return userEvent(RecordKind.notification, text);
  }
  if (type === "file" || type === "edited_text_file") {
    const path = asString(attachment.displayPath) ?? asString(attachment.filename) ?? "";
    const text = asString(asObject(asObject(attachment.content)?.file)?.content) ?? asString(attachment.snippet) ?? "";
    return { event: type, level: "info", label: type === "file" ? `Read into the prompt: ${path}` : `Changed outside: ${path}`, text };
  }
  return null;
}

function contextOf(kind: number, record: SessionRecord): { label: string; text: string } | null {
  if (record.kind === "attachment") {
    const rendered = asArray(record.json.rendered).map((one) => asString(one) ?? promptOfRendered(one)).join("\n");
    const text = asString(record.json.rendered) ?? (rendered || JSON.stringify(record.attachment, null, 1));
    return { label: record.attachmentType.replaceAll("_", " "), text };
  }
  if (record.kind !== "user") return null;
  const label = kind === RecordKind.compactSummary ? "Summary" : "Sent with the conversation";
  return { label, text: promptOf(record) };
}

function promptOfRendered(value: unknown): string {
  const json = asObject(value);
  return asString(json?.content) ?? asString(json?.text) ?? "";
}

/** Fields every record has; what else a book-keeping record says is its note. */
const COMMON: ReadonlySet<string> = new Set(["type", "uuid", "parentUuid", "sessionId", "timestamp", "version", "cwd", "gitBranch", "userType", "isSidechain", "entrypoint", "isMeta", "slug", "agentId"]);

function noteOf(record: SessionRecord): string {
  if (record.kind === "unreadable") return "";
  if (record.kind === "system") {
    const ms = asNumber(record.json.durationMs);
    if (ms !== null) return `${ms} ms`;
  }
  if (record.kind === "progress") {
    const { data } = record;
    return asString(data.output) ?? asString(data.hookName) ?? asString(data.taskDescription) ?? asString(data.prompt) ?? "";
  }
  const rest = Object.entries(record.json).filter(([key]) => !COMMON.has(key));
  return rest.map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)?.slice(0, NOTE_LIMIT)}`).join(", ");
}
