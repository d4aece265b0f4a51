import { Level } from "./kinds";
import { tagContent } from "./user-text";

/** System lines that only keep books, by subtype. Every other subtype is shown with the tools. */
const QUIET: ReadonlySet<string> = new Set([
  "turn_duration",
  "stop_hook_summary",
  "hook_progress",
  "bridge_status",
  "system_prompt",
  "init",
]);

/** The level of a system line. A compaction is part of the conversation; a command that printed nothing has nothing to show. */
export function systemLevel(subtype: string, content: string): number {
  if (subtype === "compact_boundary") return Level.prompts;
  if (subtype === "local_command" && tagContent(content, "local-command-stdout") === "")
    return Level.everything;
  return QUIET.has(subtype) ? Level.everything : Level.tools;
}
