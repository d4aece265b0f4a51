import { isWordOfHooks, untoldHookErrors } from "@/lib/log/adding/levels";
import { readNotification } from "@/lib/log/adding/notification";
import {
  commandLine,
  tagContent,
  userTextKind,
  withoutElement,
  withoutTags,
} from "@/lib/log/adding/user-text";
import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AttachmentRecord } from "@/lib/log/records/session-record";
import { RecordKind } from "@/lib/log/table/kinds";
import { type Event, shortJson } from "./row-context";
import { promptOf } from "./turn-row";

/** Maximum length in characters of an attachment's value that shares its line with others. */
const SHORT_VALUE = 80;

/** An attachment that a person caused or that changed what happens next, as an event; `null` for context. */
export function attachmentEvent(record: AttachmentRecord): Event | null {
  const { attachmentType: type, attachment } = record;
  if (type.startsWith("hook_") || type === "async_hook_response") return hookEvent(type, attachment);
  switch (type) {
    case "plan_mode":
    case "plan_mode_exit":
    case "plan_mode_reentry":
      return {
        event: type,
        level: "info",
        label: type === "plan_mode_exit" ? "Left plan mode" : "Plan mode",
        text: "",
      };
    case "queued_command":
      return notificationEvent(promptOf(record));
    case "file":
    case "edited_text_file": {
      const path = asString(attachment.displayPath) ?? asString(attachment.filename) ?? "";
      const text =
        asString(asObject(asObject(attachment.content)?.file)?.content) ?? asString(attachment.snippet) ?? "";
      return {
        event: type,
        level: "info",
        label: type === "file" ? `Read into the prompt: ${path}` : `Changed outside: ${path}`,
        text,
      };
    }
    default:
      return null;
  }
}

/** How a hook ended, by the attachment's type. One that ended well shows its output and nothing else. */
const HOOK_ENDS: ReadonlyMap<string, string> = new Map([
  ["hook_blocking_error", "blocked"],
  ["hook_non_blocking_error", "failed"],
  ["hook_cancelled", "cancelled"],
  ["hook_stopped_continuation", "stopped"],
  ["hook_error_during_execution", "failed"],
]);

function hookEvent(type: string, attachment: JsonObject): Event {
  const end = HOOK_ENDS.get(type);
  const code = end === "failed" ? asNumber(attachment.exitCode) : null;
  const status = end ? end + (code === null ? "" : `, exit ${code}`) : asString(attachment.decision);
  const parts = [
    // A list where the hook added context (2.1.110, 2.1.330).
    ...(Array.isArray(attachment.content) ? attachment.content : [attachment.content]),
    attachment.stdout,
    attachment.stderr,
    attachment.message,
    asObject(attachment.blockingError)?.blockingError,
  ];
  const texts = parts.flatMap((part) => asString(part)?.trim() || []);
  const name = asString(attachment.hookName) ?? asString(attachment.hookEvent) ?? "";
  return {
    event: type,
    level: end ? "warning" : "info",
    label: `Hook ${name}`.trim(),
    // The part of a hook's output that the client adopts is in two fields.
    text: [...new Set(texts)].join("\n"),
    ...(status !== null && { status }),
  };
}

/** What an attachment added for the model: the text that was made from it (2.1.330), else its fields. */
export function attachmentContext(
  record: Pick<AttachmentRecord, "attachmentType" | "attachment" | "json">,
  limit: number,
): { label: string; text: string } {
  const { rendered } = record.json;
  const parts = asArray(rendered).map(
    (one) => asString(one) ?? asString(asObject(one)?.content) ?? asString(asObject(one)?.text) ?? "",
  );
  const text = asString(rendered) ?? (parts.join("\n") || fieldLines(record.attachment, limit));
  return { label: record.attachmentType.replaceAll("_", " ") || "attachment", text };
}

/** Short values first, on one line that a folded row shows; then at least one line for each long one. */
function fieldLines(attachment: JsonObject, limit: number): string {
  const fields = Object.entries(attachment)
    .filter(([key]) => key !== "type")
    .map(([key, value]) => {
      const text = asString(value) ?? shortJson(value, limit);
      return { line: `${key}: ${text}`, long: text.length > SHORT_VALUE || /[\n{[]/.test(text) };
    });
  const short = fields.filter(({ long }) => !long).map(({ line }) => line);
  const long = fields.filter((field) => field.long).map(({ line }) => line);
  return [short.join(", "), ...long].filter(Boolean).join("\n");
}

const MAX_ERROR = 2_000;

/** A system line as an event; `null` for bookkeeping. */
export function systemEvent(subtype: string, json: JsonObject): Event | null {
  const content = asString(json.content) ?? "";
  switch (subtype) {
    case "api_error":
      return {
        event: "api-error",
        level: "warning",
        label: `API error${formatRetry(json)}`,
        text: formatError(json.error) || content,
      };
    case "local_command": {
      if (userTextKind(content) === "command")
        return { event: "command", level: "info", label: commandLine(content), text: "" };
      const output =
        tagContent(content, "local-command-stdout") ?? tagContent(content, "local-command-stderr") ?? content;
      return { event: "command-output", level: "info", label: "Output", text: output };
    }
    case "microcompact_boundary":
      return {
        event: "microcompaction",
        level: "info",
        label: "Old tool results cleared from the context",
        text: content,
      };
    case "stop_hook_summary": {
      if (!isWordOfHooks(subtype, json)) return null;
      const texts = [...untoldHookErrors(json), json.stopReason].flatMap(
        (one) => asString(one)?.trim() || [],
      );
      const status = json.preventedContinuation === true ? "stopped" : "failed";
      return { event: subtype, level: "warning", label: "Hook Stop", text: texts.join("\n"), status };
    }
    case "turn_duration":
      return null;
    default: {
      const level = json.level === "error" ? "error" : json.level === "warning" ? "warning" : "info";
      return { event: subtype, level, label: subtype.replaceAll("_", " ") || "System", text: content };
    }
  }
}

function formatRetry(json: JsonObject): string {
  const attempt = asNumber(json.retryAttempt);
  const max = asNumber(json.maxRetries);
  return attempt === null ? "" : `, retry ${attempt}${max === null ? "" : ` of ${max}`}`;
}

/** The innermost message: 2.1.330 has it formatted, older versions nest the API's answer in the client's error. */
function formatError(value: unknown): string {
  const error = asObject(value);
  if (!error) return asString(value) ?? "";
  const inner = asObject(error.error);
  const innermost = asObject(inner?.error);
  const message =
    asString(error.formatted) ??
    asString(innermost?.message) ??
    asString(inner?.message) ??
    asString(error.message);
  const status = asNumber(error.status);
  if (message === null) return shortJson(error, MAX_ERROR);
  return status === null || message.includes(String(status)) ? message : `${status} ${message}`;
}

const OUTPUT_TAGS = ["local-command-stdout", "bash-stdout", "local-command-stderr", "bash-stderr"];

/** A user line that no person wrote as a message, as an event; `null` for kinds that are no events. */
export function userEvent(kind: number, text: string): Event | null {
  switch (kind) {
    case RecordKind.command: {
      const note = tagContent(text, "user-memory-input");
      if (note !== null) return { event: "note", level: "info", label: `# ${note}`, text: "" };
      const isBash = userTextKind(text) === "bash";
      const label = isBash ? `! ${tagContent(text, "bash-input") ?? ""}` : commandLine(text);
      return { event: isBash ? "bash" : "command", level: "info", label, text: "" };
    }
    case RecordKind.commandOutput: {
      const parts = OUTPUT_TAGS.map((tag) => tagContent(text, tag)).filter(
        (part) => part !== null && part !== "",
      );
      return {
        event: "command-output",
        level: "info",
        label: "Output",
        text: parts.length > 0 ? parts.join("\n") : untagged(text),
      };
    }
    case RecordKind.interruption: {
      const label = text.includes("for tool use") ? "Interrupted during a tool call" : "Interrupted";
      return { event: "interrupted", level: "warning", label, text: "" };
    }
    case RecordKind.notification:
      return notificationEvent(text);
    default:
      return null;
  }
}

/** The texts of a command, or of its output, that its row shows. */
const SHOWN_TAGS = ["command-name", "command-args", "bash-input", "user-memory-input", ...OUTPUT_TAGS];

/**
 * The texts of a command or of its output: what its row shows, and the rest without tags, such as what the client says
 * while it runs. `null` for a text of another kind.
 */
export function commandTexts(text: string): { shown: string; rest: string } | null {
  const kind = userTextKind(text);
  if (kind !== "command" && kind !== "bash" && kind !== "output") return null;
  const event = userEvent(kind === "output" ? RecordKind.commandOutput : RecordKind.command, text);
  const shown = (kind === "output" ? event?.text : event?.label) ?? "";
  const rest =
    kind === "output" && !text.startsWith("<") ? "" : withoutTags(SHOWN_TAGS.reduce(withoutElement, text));
  // The message repeats the command's name, except in older versions: `review is running…` (1.0.60).
  return { shown, rest: shown.includes(rest) ? "" : rest };
}

/** A notification of a background task. A monitor's line is an `<event>`, an agent's answer a `<result>`. */
export function notificationEvent(text: string): Event {
  const { summary, status, answer } = readNotification(text);
  const isBad = /^(?:failed|killed)$/.test(tagContent(text, "status") ?? "");
  return {
    event: "notification",
    level: isBad ? "warning" : "info",
    label: summary ?? "Notification",
    text: answer,
    ...(status !== null && { status }),
  };
}

/** A text without tags unchanged; one whose tags are empty as an empty text. */
function untagged(text: string): string {
  return userTextKind(text) === "output" && text.startsWith("<") ? "" : text;
}
