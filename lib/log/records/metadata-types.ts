/**
 * Types without a place in the conversation, by the first version they were recorded in. Many are
 * written again and again in mid-file by 2.1.330: the last one wins.
 */
export const METADATA_TYPES: ReadonlySet<string> = new Set([
  "summary", // 1.0.128
  "file-history-snapshot", // 2.0.42
  "queue-operation", // 2.0.42
  "custom-title", // 2.0.76
  // 2.1.110
  "last-prompt",
  "permission-mode",
  "worktree-state",
  "agent-name",
  // 2.1.220
  "mode",
  "ai-title",
  "relocated",
  "file-history-delta",
  // 2.1.330
  "agent-color",
  "cost-state",
  "tools-used",
  "atis-latch",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  // Known to the client of 2.1.330 by name, never recorded.
  "agent-setting",
  "api-request-resumed",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor",
  "attribution-snapshot",
  "bridge-session",
  "content-replacement",
  "continued-in",
  "derived-from",
  "ended-by-model",
  "fork-context-ref",
  "frame-link",
  "history-suppression",
  "isolation-latch",
  "marble-origami-commit",
  "marble-origami-reset",
  "marble-origami-snapshot",
  "memory-mode",
  "observer-ref",
  "pr-link",
  "resume-head-vouch",
  "session-link",
  "session-owner",
  "tag",
  "task-summary",
  "turn_end",
]);
