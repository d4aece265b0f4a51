import { RecordKind } from "@/lib/log/table/kinds";
import { commandLine, tagContent, userTextKind } from "@/lib/log/table/user-text";
import type { Event } from "./event";

const OUTPUT_TAGS = ["local-command-stdout", "bash-stdout", "local-command-stderr", "bash-stderr"];

/** A user line that no person wrote as a message, as an event; `null` for kinds that are none. */
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

/** What a task in the background told. A monitor's line is an `<event>`, an agent's answer a `<result>`. */
export function notificationEvent(text: string): Event {
  const status = tagContent(text, "status");
  const level = status === "failed" || status === "killed" ? "warning" : "info";
  const said = tagContent(text, "result") ?? tagContent(text, "event") ?? "";
  return { event: "notification", level, label: tagContent(text, "summary") ?? "Notification", text: said };
}

/** A text in no tags as it is; one whose tags are empty as nothing. */
function untagged(text: string): string {
  return userTextKind(text) === "output" && text.startsWith("<") ? "" : text;
}
