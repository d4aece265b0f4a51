import { Level } from "./kinds";

/** System lines that only keep books, by subtype. Every other subtype is shown with the tools. */
const QUIET: ReadonlySet<string> = new Set(["turn_duration", "stop_hook_summary", "hook_progress", "bridge_status", "system_prompt", "init"]);

/** The level of a system line. A compaction is part of the conversation. */
export function systemLevel(subtype: string): number {
  if (subtype === "compact_boundary") return Level.prompts;
  return QUIET.has(subtype) ? Level.everything : Level.tools;
}
