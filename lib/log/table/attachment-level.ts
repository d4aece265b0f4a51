import { Level } from "./kinds";

/**
 * Which attachments a reader of the conversation wants, by type: those a person caused or that
 * changed what happens next. All others that are known are context for the model alone.
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
  // Known by name.
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
]);

/** The level of an attachment, and whether its type is known at all. */
export function attachmentLevel(type: string): { level: number; known: boolean } {
  if (SHOWN.has(type)) return { level: Level.tools, known: true };
  if (CONTEXT.has(type)) return { level: Level.everything, known: true };
  return { level: Level.tools, known: false };
}
