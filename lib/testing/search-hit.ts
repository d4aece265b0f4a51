import type { AgentId, ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";

/** A hit for tests: a prompt in the main thread unless said otherwise. */
export function makeHit({
  session = "s1",
  project = "p1",
  record = "m~0",
  agent = null,
  ...rest
}: Partial<Omit<SearchHit, "sessionId" | "projectId" | "recordId" | "agentId">> & {
  session?: string;
  project?: string;
  record?: string;
  agent?: string | null;
} = {}): SearchHit {
  return {
    sessionId: session as SessionId,
    projectId: project as ProjectId,
    recordId: record as RecordId,
    agentId: agent as AgentId | null,
    block: 0,
    field: "prompt",
    tool: null,
    snippet: "please retry it",
    ranges: [[7, 12]],
    atMs: null,
    ...rest,
  };
}
