import { addTo } from "@/lib/format/lists";
import { firstWords } from "@/lib/format/text";
import { agentStateOf } from "@/lib/log/graph/agent-state";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { roundsOfCall, threadTotals, timeOfCall, workedMs } from "@/lib/log/graph/thread-totals";
import { callNamed } from "@/lib/log/graph/threads";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { AgentStep, RowAgent } from "@/lib/wire/rows";
import { describeCall } from "./calls/describe-call";
import { type RowContext, timeOf } from "./row-context";

const NONE = -1;
const MAX_STEP = 160;

/** The agents of a call, in order of appearance: most calls have one, a workflow's several. */
export function calledAgents(context: RowContext, call: number): RowAgent[] {
  const { table, graph } = context;
  return threadsOfCall(context, call).flatMap((index): RowAgent[] => {
    const thread = graph.threads[index];
    if (!thread || thread.agentId === null) return [];
    const { toolCalls, tokens, rounds } = threadTotals(table, graph, index);
    const worked = roundsOfCall(table, thread, rounds, call);
    return [
      {
        agentId: thread.agentId,
        name: thread.description ?? thread.type,
        toolCalls,
        tokens,
        lane: thread.lane,
        state: agentStateOf(table, thread),
        startedAtMs: worked[0]?.startMs ?? null,
        durationMs: workedMs(worked),
        step: agentStep(context, index),
      },
    ];
  });
}

/**
 * How long a call really took, where its own result came before its work was done: an agent's own time, a workflow's
 * from its first agent to its last, and for any other call that a notification reports as ended (2.1.110 and later) the
 * time until then. Otherwise `null`.
 */
export function trueTime(
  { table, graph }: RowContext,
  call: number,
  agents: readonly RowAgent[],
): { endMs: number; durationMs: number } | null {
  const startMs = timeOfCall(table, call);
  if (agents.length === 0) {
    const endMs = reportedEnds(table, graph).get(call);
    return endMs === undefined || !(endMs > startMs) ? null : { endMs, durationMs: endMs - startMs };
  }
  const rounds = threadsOfCall({ graph }, call).flatMap((index) => {
    const thread = graph.threads[index];
    return thread ? roundsOfCall(table, thread, threadTotals(table, graph, index).rounds, call) : [];
  });
  if (rounds.length === 0) return null;
  const endMs = Math.max(...rounds.map((round) => round.endMs));
  const [only] = agents.length === 1 ? agents : [];
  const firstMs = Math.min(...rounds.map((round) => round.startMs));
  return { endMs, durationMs: only?.durationMs ?? endMs - firstMs };
}

const endsOf = new WeakMap<SessionGraph, ReadonlyMap<number, number>>();

/** Call → when a notification first reported its end. */
export function reportedEnds(table: SessionTable, graph: SessionGraph): ReadonlyMap<number, number> {
  const known = endsOf.get(graph);
  if (known) return known;
  const ends = new Map<number, number>();
  for (const { toolUseId, record } of table.notices) {
    const call = callNamed(table, toolUseId);
    const ms = timeOf(table, record);
    if (call !== NONE && ms !== null && !(ms >= (ends.get(call) ?? Number.POSITIVE_INFINITY)))
      ends.set(call, ms);
  }
  endsOf.set(graph, ends);
  return ends;
}

/** The records of the latest activity of a call's agents. */
export function calledAgentRecords(context: RowContext, call: number): number[] {
  return threadsOfCall(context, call).map((index) => agentStepRecord(context, index));
}

/** The record of an agent's latest activity, -1 for one that has ended: then its answer is shown instead. */
export function agentStepRecord(
  { table, graph }: Pick<RowContext, "table" | "graph">,
  index: number,
): number {
  const thread = graph.threads[index];
  if (!thread || agentStateOf(table, thread) !== "unknown") return NONE;
  const { lastBlock } = threadTotals(table, graph, index);
  return lastBlock === NONE ? NONE : table.blocks.record.at(lastBlock);
}

/** An agent's latest activity; `read` gives the record that `agentStepRecord` named. */
export function agentStep(
  { table, graph, read }: Pick<RowContext, "table" | "graph" | "read">,
  index: number,
): AgentStep | null {
  const record = read(agentStepRecord({ table, graph }, index));
  if (record?.kind !== "assistant") return null;
  const { lastBlock } = threadTotals(table, graph, index);
  const content = record.blocks[table.blocks.index.at(lastBlock)];
  if (content?.kind === "text") return { name: null, subject: firstWords(content.text, MAX_STEP) };
  if (content?.kind !== "tool-use") return null;
  const cwd = typeof record.json.cwd === "string" ? record.json.cwd : null;
  const { name, input } = content;
  const facts = { name, input, cwd, isError: false, text: null, isCut: false, result: null };
  return { name, subject: firstWords(describeCall(facts).subject, MAX_STEP) };
}

const agentsOf = new WeakMap<SessionGraph, ReadonlyMap<number, readonly number[]>>();

/**
 * Call → the agents that it started or resumed, in order of appearance, without the client's own. A workflow's call
 * starts several (2.1.330).
 */
export function agentsOfCalls(graph: SessionGraph): ReadonlyMap<number, readonly number[]> {
  const known = agentsOf.get(graph);
  if (known) return known;
  const agents = new Map<number, number[]>();
  for (const [index, thread] of graph.threads.entries()) {
    if (thread.internal || thread.agentId === null) continue;
    for (const call of [thread.call, ...thread.resumes]) {
      if (call !== NONE) addTo(agents, call, index);
    }
  }
  agentsOf.set(graph, agents);
  return agents;
}

function threadsOfCall({ graph }: Pick<RowContext, "graph">, call: number): readonly number[] {
  return agentsOfCalls(graph).get(call) ?? [];
}
