import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AttachmentRecord } from "@/lib/log/records/session-record";
import type { Event } from "./event";
import { shortJson } from "./short-json";
import { promptOf } from "./turn-row";
import { notificationEvent } from "./user-event";

/** A value of an attachment that shares its line with others is at most this many characters long. */
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

function hookEvent(type: string, attachment: JsonObject): Event {
  const failed = /error|cancelled|stopped/.test(type);
  const parts = [
    attachment.content,
    attachment.stdout,
    attachment.stderr,
    attachment.message,
    asObject(attachment.blockingError)?.blockingError,
  ];
  const text = parts.map(asString).filter(Boolean).join("\n");
  const name = asString(attachment.hookName) ?? asString(attachment.hookEvent) ?? "";
  return { event: type, level: failed ? "warning" : "info", label: `Hook ${name}`.trim(), text };
}

/** What an attachment put before the model: the text that was made of it (2.1.330), else what its fields say. */
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

/** Short values first and on one line, which a folded row shows; then one line or more for each long one. */
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
