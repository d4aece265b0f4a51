import type { SessionSummary } from "@/lib/wire/library";

/** What a full scan knows and the library's first pass does not. Absent fields keep the first pass's value. */
export type SessionNumbers = Pick<
  SessionSummary,
  "turns" | "toolCalls" | "toolErrors" | "agentCount" | "tokens" | "activity"
> &
  Partial<
    Pick<
      SessionSummary,
      | "title"
      | "titleSource"
      | "firstPrompt"
      | "startedAtMs"
      | "lastActiveAtMs"
      | "models"
      | "gitBranch"
      | "state"
      | "sinceMs"
    >
  >;
