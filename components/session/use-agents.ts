import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "@/components/thread/agents-query";
import { formatCompact, formatDuration } from "@/lib/format/format";
import { isBlankName, shownName } from "@/lib/format/shown-name";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import { formatAgentState } from "@/lib/wire/rows";
import type { AgentEntry, AgentsResponse } from "@/lib/wire/session";

/**
 * The agents of a session, each behind the one that started it, else in order of appearance; `nextCursor` is set where
 * there are more than are listed.
 */
export function useAgents(sessionId: SessionId, enabled = true) {
  return useQuery({ ...agentsQuery(sessionId), enabled, select: nested });
}

function nested({ agents, nextCursor }: AgentsResponse): AgentsResponse {
  return { agents: nestedAgents(agents), nextCursor };
}

/** Agents that run beside each other start others by turns: each is put behind the one that started it. */
export function nestedAgents(agents: readonly AgentEntry[]): AgentEntry[] {
  const startedBy = new Map<AgentId | null, AgentEntry[]>(agents.map(({ agentId }) => [agentId, []]));
  startedBy.set(null, []);
  for (const agent of agents) (startedBy.get(agent.parentAgentId) ?? startedBy.get(null))?.push(agent);
  const nested: AgentEntry[] = [];
  const waiting = (startedBy.get(null) ?? []).toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    nested.push(next);
    waiting.push(...(startedBy.get(next.agentId) ?? []).toReversed());
  }
  // A damaged log may have two start each other: they are in nobody's list.
  return nested.length === agents.length ? nested : [...agents];
}

/** Agents by the outermost one from which they descend, itself the first. They are nested already. */
export function agentFamilies(agents: readonly AgentEntry[]): ReadonlyMap<AgentId, readonly AgentEntry[]> {
  const families = new Map<AgentId, AgentEntry[]>();
  const familyOf = new Map<AgentId | null, AgentEntry[]>();
  for (const agent of agents) {
    const family = familyOf.get(agent.parentAgentId) ?? [];
    if (family.length === 0) families.set(agent.agentId, family);
    family.push(agent);
    familyOf.set(agent.agentId, family);
  }
  return families;
}

/** An agent's entry, and `null` until it is known. */
export function useAgent(sessionId: SessionId, agentId: AgentId | null): AgentEntry | null {
  const { data } = useAgents(sessionId, agentId !== null);
  return data?.agents.find((one) => one.agentId === agentId) ?? null;
}

/** What an agent is called: what it was started for, or its type. */
export function nameOfAgent({ description, type, agentId }: AgentEntry): string {
  return [description, type].find((name) => !isBlankName(name)) ?? shownName(agentId);
}

/** An agent's type, tokens, duration and end, as far as they are known and its name does not say them. */
export function agentFigures({ description, type, tokens, durationMs, state }: AgentEntry): string[] {
  return [
    isBlankName(description) ? null : type,
    tokens > 0 ? formatCompact(tokens) : null,
    durationMs !== null && state !== "running" ? formatDuration(durationMs) : null,
    state === "running" ? null : formatAgentState(state) || null,
  ].filter((fact) => fact !== null);
}

/** The agent of the main thread from which this one descends: itself, or the one that stands above it in the list. */
export function outermostOf(agents: readonly AgentEntry[], agentId: AgentId): AgentEntry | null {
  const at = agents.findIndex((one) => one.agentId === agentId);
  return agents.slice(0, at + 1).findLast(({ depth }) => depth <= 1) ?? null;
}
