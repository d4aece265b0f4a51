import { formatCompact, formatCost, formatDuration, formatPlural } from "@/lib/format/format";
import { startsAgents, toolNamed } from "@/lib/tools/tools";
import { type AgentReturnRow, formatAgentState, type ToolRow } from "@/lib/wire/rows";
import type { ExportedAgent } from "./exported-threads";

/** What a call's agents did and how long that took, "" for a call without agents. */
export function formatAgents({ agent, agents, durationMs }: ToolRow): string {
  if (!agent) return "";
  const all = agents ?? [agent];
  const tools = all.reduce((sum, { toolCalls }) => sum + toolCalls, 0);
  return [
    all.length > 1 ? formatPlural(all.length, "agent") : null,
    formatPlural(tools, "tool"),
    durationMs === null ? null : formatDuration(durationMs),
  ]
    .filter(Boolean)
    .join(", ");
}

/** States that an agent's answer returns, and after how long. */
export function formatReturn({ durationMs }: AgentReturnRow, name = "An agent"): string {
  return durationMs === null ? `${name} returned` : `${name} returned after ${formatDuration(durationMs)}`;
}

/** How an agent ended, its time and its cost, in words; the cost is without that of agents that it started. */
export function agentFacts({ state, toolCalls, tokens, cost, durationMs }: ExportedAgent): string[] {
  return [
    formatAgentState(state) || (state === "done" ? "done" : "end not known"),
    formatPlural(toolCalls, "tool"),
    tokens > 0 ? `${formatCompact(tokens)} tokens` : "",
    cost ? formatCost(cost.microUsd, cost.unpricedTokens) : "",
    durationMs === null ? "" : formatDuration(durationMs),
  ].filter(Boolean);
}

/**
 * Said of a call that did start agents, none of which is in the file; "" of any other. `areLeftOut`: whoever made the file
 * left them out, else no log of them is left.
 */
export function formatNoAgents({ name, server, state, agent }: ToolRow, areLeftOut: boolean): string {
  const tool = server === null ? toolNamed(name) : null;
  const hadAny = tool !== null && startsAgents(tool) && (state === "ok" || state === "interrupted");
  if (!hadAny || agent !== null) return "";
  return areLeftOut
    ? "What its agents did is not in this file"
    : "No log of its agents is left: what they did is not known";
}

/** The note about agents that are not in the file. */
export function formatLeftOut(agents: number): string {
  return agents === 1
    ? "1 more agent, of a branch that was left, is not in this file."
    : `${agents} more agents, of branches that were left, are not in this file.`;
}
