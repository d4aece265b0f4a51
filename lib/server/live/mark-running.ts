import type { Row, RowAgent, RowsResponse, ToolRow } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";

/** Calls of a session that runs: those of the main thread that have no result yet, and whether a person is asked. */
export type RunningCalls = { ids: ReadonlySet<string>; asks: "permission" | "question" | null };

const ASKS = { permission: "asks permission", question: "asks you" } as const;

/** Rows as they are in a session that runs: a call without a result has not ended yet. `null`: it does not run. */
export function markRunning(
  answer: RowsResponse,
  isAgent: boolean,
  running: RunningCalls | null,
): RowsResponse {
  if (!running) return answer;
  const rows = answer.rows.map((row): Row => {
    if (row.kind !== "tool" || row.state !== "no-result") return row;
    // An agent's own pending calls are not known apart: its file is being written, so they run.
    if (isAgent) return asRunning(row, null);
    return running.ids.has(row.toolUseId ?? "") ? asRunning(row, running.asks) : row;
  });
  return { ...answer, rows };
}

function asRunning(row: ToolRow, asks: RunningCalls["asks"]): ToolRow {
  const result = asks ? ASKS[asks] : null;
  const agent = row.agent && runningAgent(row.agent);
  const agents = row.agents && { agents: row.agents.map(runningAgent) };
  return { ...row, state: "running", result, agent, ...agents };
}

function runningAgent(agent: RowAgent): RowAgent {
  return agent.state === "unknown" ? { ...agent, state: "running" } : agent;
}

/** Agents whose end nothing tells run as long as their session does and their file is fresh. */
export function markRunningAgents(
  agents: AgentEntry[],
  running: RunningCalls | null,
  isFresh: (entry: AgentEntry) => boolean,
): AgentEntry[] {
  if (!running) return agents;
  return agents.map((agent) =>
    agent.state === "unknown" && isFresh(agent) ? { ...agent, state: "running" } : agent,
  );
}
