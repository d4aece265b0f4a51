import type { EventRow } from "@/lib/wire/rows";

/** How an event is told in a row: a short name for its column, and what it says of itself. */
export type EventWords = { name: string; about: string; mono: boolean };

/** Events in words. One that this page does not know is named by its label. */
export function eventWords({ event, label }: Pick<EventRow, "event" | "label">): EventWords {
  const plain = (name: string, about: string): EventWords => ({ name, about, mono: false });
  if (event === "command") {
    const [name = "", ...rest] = label.split(" ");
    return { name, about: rest.join(" "), mono: true };
  }
  if (event === "bash") return { name: "Shell", about: label.replace(/^!\s*/, ""), mono: true };
  if (event === "note") return plain("Note", label.replace(/^#\s*/, ""));
  if (event === "api-error") return plain("API error", label.replace(/^API error,?\s*/, ""));
  if (event === "notification") return plain("notified", label);
  if (event === "informational") return plain("Notice", "");
  if (event === "microcompaction") return plain("Cleared", label);
  if (event === "file") return plain("File", label);
  if (event === "plan_mode_exit") return plain("Plan mode", "left");
  if (event.startsWith("hook")) return plain("Hook", label.replace(/^Hook\s+/, ""));
  if (event === "interrupted") return plain("Interrupted", label.replace(/^Interrupted\s*/, "") || "by you");
  return label.length <= 14 ? plain(label, "") : plain(event.split(/[-_]/)[0] ?? "Event", label);
}
