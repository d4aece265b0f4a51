import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import { UNKNOWN_FIGURES } from "@/lib/wire/library-columns";

/** A session for tests, with what the test says and the rest unremarkable. */
export function makeSummary(over: Partial<SessionSummary> & { title: string }): SessionSummary {
  return {
    id: `session-${over.title}` as SessionId,
    projectId: "project" as ProjectId,
    titleSource: "ai",
    firstPrompt: null,
    startedAtMs: null,
    lastActiveAtMs: null,
    ...UNKNOWN_FIGURES,
    turns: 1,
    toolCalls: 1,
    toolErrors: 0,
    agentCount: 0,
    tokens: 1,
    bytes: 1,
    models: [],
    gitBranch: null,
    state: "ended",
    sinceMs: null,
    indexed: true,
    activity: null,
    cost: null,
    problem: null,
    storage: "logs",
    marks: null,
    ...over,
  };
}
