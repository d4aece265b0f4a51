import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { commandLine, tagContent, userTextKind } from "@/lib/log/table/user-text";
import type { Event } from "./event";
import { shortJson } from "./short-json";

const ERROR_LIMIT = 2_000;

/** A system line as an event; `null` for those that only keep books. */
export function systemEvent(subtype: string, json: JsonObject): Event | null {
  const content = asString(json.content) ?? "";
  switch (subtype) {
    case "api_error":
      return {
        event: "api-error",
        level: "warning",
        label: `API error${retryWords(json)}`,
        text: errorWords(json.error) || content,
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
    case "turn_duration":
    case "stop_hook_summary":
      return null;
    default: {
      const level = json.level === "error" ? "error" : json.level === "warning" ? "warning" : "info";
      return { event: subtype, level, label: subtype.replaceAll("_", " ") || "System", text: content };
    }
  }
}

function retryWords(json: JsonObject): string {
  const attempt = asNumber(json.retryAttempt);
  const max = asNumber(json.maxRetries);
  return attempt === null ? "" : `, retry ${attempt}${max === null ? "" : ` of ${max}`}`;
}

/** The innermost message: 2.1.330 has it formatted, older versions nest the API's answer in the client's error. */
function errorWords(value: unknown): string {
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
  if (message === null) return shortJson(error, ERROR_LIMIT);
  return status === null || message.includes(String(status)) ? message : `${status} ${message}`;
}
