import { asArray, asString, type JsonObject } from "@/lib/log/records/json";
import { Level } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { recordBefore } from "./summary-boundary";
import { tagContent } from "./user-text";

const NONE = -1;

/**
 * The attachments that a reader of the conversation wants to see, by type: those that a person caused or that
 * changed what happens next. All other known types are context for the model alone.
 */
const SHOWN: ReadonlySet<string> = new Set([
  "file",
  "edited_text_file",
  "plan_mode",
  "plan_mode_exit",
  "plan_mode_reentry",
  "hook_blocking_error",
  "hook_non_blocking_error",
  "hook_cancelled",
  "hook_stopped_continuation",
  "hook_system_message",
  "hook_permission_decision",
  "async_hook_response",
  "diagnostics",
  "goal_status",
  "task_status",
  "compact_file_reference",
  "teammate_mailbox",
  "queued_command",
  // Known by name only, of 2.1.278 to 2.1.293.
  "directory",
  "edited_image_file",
  "mcp_resource",
  "pdf_reference",
  "selected_lines_in_ide",
  "audio_transcript",
  "max_turns_reached",
  "hook_error_during_execution",
]);

const CONTEXT: ReadonlySet<string> = new Set([
  // Recorded in 2.1.110–2.1.330.
  "environment",
  "model",
  "date",
  "session_context",
  "instructions",
  "remote_session_change",
  "prompt_snapshot",
  "skill_listing",
  "agent_listing_delta",
  "deferred_tools_delta",
  "deferred_tools_record",
  "auto_mode",
  "command_permissions",
  "invoked_skills",
  "hook_success",
  "hook_additional_context",
  "silent_turn_reminder",
  "total_tokens_reminder",
  "task_reminder",
  // The plan, given again after a compaction (2.1.330).
  "plan_file_reference",
  // Known by name only.
  "todo_reminder",
  "output_style",
  "date_change",
  "dynamic_skill",
  "mcp_instructions_delta",
  "auto_mode_exit",
  "budget_usd",
  "batching_reminder_sent",
  "thinking_stripped",
  "ultra_effort_enter",
  "workflow_size_guideline_change",
  "critical_system_reminder",
  "companion_intro",
  "read_truncation_notice",
  "nested_memory",
  "bash_output_audience_note",
  // The same, of 2.1.278 to 2.1.293; the first is written at a compaction, with the timers that outlive it.
  "session_cron_carry",
  "account_memory_recall",
  "agent_mention",
  "already_read_file",
  "at_mention_reference",
  "attention_budget",
  "batching_reminder",
  "context_efficiency",
  "context_sections",
  "coordinator_context",
  "elapsed_time_reminder",
  "fork_briefing",
  "language",
  "mcp_dropped_tools_delta",
  "memory_update",
  "opened_file_in_ide",
  "output_style_instructions",
  "output_token_usage",
  "prompt_render_point",
  "relevant_memories",
  "sandbox_instructions",
  "secondary_reminder",
  "secondary_reminder_sent",
  "session_settings",
  "skill_mention",
  "structured_output",
  "team_context",
  "thinking_drop",
  "token_usage",
  "tool_search_usage_reminder",
  "ultra_effort_exit",
  "ultrathink_effort",
  "withheld_memory",
  "workflow_keyword_request",
]);

/** The level of an attachment, and whether its type is known. */
export function attachmentLevel(type: string): { level: number; known: boolean } {
  if (SHOWN.has(type)) return { level: Level.tools, known: true };
  if (CONTEXT.has(type)) return { level: Level.everything, known: true };
  return { level: Level.tools, known: false };
}

/** The type of the line that names the session in which this one goes on: `/background` copies it under another id (2.1.29x). */
export const CONTINUED_IN = "continued-in";

/** Bookkeeping that a reader of the conversation wants to see where it happened, by type. */
export const SHOWN_METADATA: ReadonlySet<string> = new Set(["pr-link", CONTINUED_IN]);

/** System lines that are bookkeeping only, by subtype. Every other subtype is shown with the tools. */
const QUIET: ReadonlySet<string> = new Set([
  "turn_duration",
  "stop_hook_summary",
  "hook_progress",
  "bridge_status",
  "system_prompt",
  "init",
]);

/**
 * Whether the summary of a turn's last hooks may be the only line that says that one of them failed, or ended or blocked the
 * turn: 2.1.42 writes no other, those after it one for some (2.1.315), see `isToldByHooks`.
 */
export function isWordOfHooks(subtype: string, json: JsonObject): boolean {
  if (subtype !== "stop_hook_summary") return false;
  const numbers = json.failedHookErrorIndexes !== undefined;
  return untoldHookErrors(json).length > 0 || (!numbers && json.preventedContinuation === true);
}

/** The errors of a turn's last hooks without those that have a line of their own: their numbers are named (2.1.330). */
export function untoldHookErrors(json: JsonObject): string[] {
  const told = new Set(asArray(json.failedHookErrorIndexes));
  return asArray(json.hookErrors).flatMap((error, index) => (told.has(index) ? [] : (asString(error) ?? [])));
}

/** Lines in which a hook tells that it failed, or ended or blocked the turn. */
const HOOK_FAULTS: ReadonlySet<string> = new Set(
  ["blocking_error", "non_blocking_error", "stopped_continuation", "error_during_execution"].map(
    (end) => `attachment/hook_${end}`,
  ),
);

/** The most lines of hooks that are looked at above a summary. */
const MAX_HOOK_LINES = 32;

/** Whether the lines of hooks directly above a summary, in its file, say themselves what went wrong (2.1.315). */
export function isToldByHooks(table: SessionTable, summary: number): boolean {
  const { records, types } = table;
  let record = recordBefore(table, summary);
  for (let looked = 0; record !== NONE && looked < MAX_HOOK_LINES; looked++) {
    const type = types.at(records.type.at(record)) ?? "";
    if (!type.startsWith("attachment/hook_")) return false;
    if (HOOK_FAULTS.has(type)) return true;
    record = recordBefore(table, record);
  }
  return false;
}

/** The level of a system line. A compaction is part of the conversation; a command without output has nothing to show. */
export function systemLevel(subtype: string, json: JsonObject): number {
  const content = asString(json.content) ?? "";
  if (subtype === "compact_boundary") return Level.prompts;
  if (isWordOfHooks(subtype, json)) return Level.tools;
  if (subtype === "local_command" && tagContent(content, "local-command-stdout") === "")
    return Level.everything;
  return QUIET.has(subtype) ? Level.everything : Level.tools;
}
