import { type AgentId, parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { Row, RowAgent, RowsResponse, ToolRow } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";

/**
 * Unfinished work in a running session: calls of the main thread, and whether a person is asked; agents whose files
 * were written recently.
 */
export type RunningCalls = {
  ids: ReadonlySet<string>;
  asks: "permission" | "question" | null;
  /** The call that a person is asked about; `null` if unknown. */
  asked: RecordId | null;
  agents: ReadonlySet<string>;
  /**
   * The offset in the main log up to which this is known: rows of later lines may have been read already. `null` if not
   * known.
   */
  readTo: number | null;
};

/** A guest reads it too, whom nobody asks. */
const ASKS = { permission: "asks permission", question: "asks a question" } as const;

/** Marks calls without a result as running. `running` is `null` for a session that is not running. */
export function markRunning(
  answer: RowsResponse,
  agent: AgentId | null,
  running: RunningCalls | null,
): RowsResponse {
  if (!running) return answer;
  return {
    ...answer,
    rows: answer.rows.map((row) => (row.kind === "tool" ? markCall(row, agent, running) : row)),
  };
}

function markCall(row: ToolRow, agent: AgentId | null, running: RunningCalls): Row {
  // From 2.1.330 on an agent's call ends at once, and the agent runs in the background.
  const marked = withRunningAgents(row, running);
  if (row.state !== "no-result") return marked;
  // An agent's own pending calls are not known: they count as running while its file is being written.
  const isKnown = running.ids.has(row.toolUseId ?? "");
  const runs = agent === null ? isKnown || isNew(row, running) : running.agents.has(agent);
  if (!runs) return marked;
  const isAsked = agent === null && isKnown && (running.asked === null || running.asked === row.recordId);
  const asks = isAsked ? running.asks : null;
  return { ...marked, state: "running", result: asks ? ASKS[asks] : null };
}

/** A call that was written after everything known of its session, which is running. */
function isNew({ recordId }: ToolRow, { readTo }: RunningCalls): boolean {
  return readTo !== null && parseRecordId(recordId).offset >= readTo;
}

/** An agent without a reported end runs as long as its session does and its file is recent. */
function isRunning(
  { agentId, state }: Pick<AgentEntry, "agentId" | "state">,
  running: RunningCalls,
): boolean {
  return state === "unknown" && running.agents.has(agentId);
}

function withRunningAgents(row: ToolRow, running: RunningCalls): ToolRow {
  const mark = (agent: RowAgent): RowAgent =>
    isRunning(agent, running) ? { ...agent, state: "running" } : agent;
  const agent = row.agent && mark(row.agent);
  const agents = row.agents && { agents: row.agents.map(mark) };
  const runs = [agent, ...(agents?.agents ?? [])].some((one) => one?.state === "running");
  return { ...row, agent, ...agents, ...(runs ? { durationMs: null } : {}) };
}

/** The same for a list of agents. */
export function markRunningAgents(agents: AgentEntry[], running: RunningCalls | null): AgentEntry[] {
  if (!running) return agents;
  return agents.map((agent) => (isRunning(agent, running) ? { ...agent, state: "running" } : agent));
}
