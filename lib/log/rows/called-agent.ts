import { agentStateOf } from "@/lib/log/graph/agent-state";
import { threadTotals } from "@/lib/log/graph/thread-totals";
import type { Thread } from "@/lib/log/graph/threads";
import type { AgentId } from "@/lib/wire/ids";
import type { AgentStep, RowAgent } from "@/lib/wire/rows";
import { describeCall } from "./calls/describe-call";
import { firstWords, type RowContext } from "./row-context";

const NONE = -1;
const STEP_LENGTH = 160;

/** True for the call that started an agent and for those that resumed it. */
export function isCallOf(thread: Thread, call: number): boolean {
  return thread.call === call || thread.resumes.includes(call);
}

/** The agents of a call, in order of appearance: most calls have one, a workflow's several. */
export function calledAgents(context: RowContext, call: number): RowAgent[] {
  const { table, graph } = context;
  return threadsOfCall(context, call).flatMap((index): RowAgent[] => {
    const thread = graph.threads[index];
    if (!thread) return [];
    const { toolCalls, tokens } = threadTotals(table, graph, index);
    return [
      {
        agentId: thread.agentId as AgentId,
        name: thread.description ?? thread.type,
        toolCalls,
        tokens,
        lane: thread.lane,
        state: agentStateOf(table, thread),
        step: agentStep(context, index),
      },
    ];
  });
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
  return lastBlock === NONE ? NONE : table.blocks.get("record", lastBlock);
}

/** An agent's latest activity; `read` gives the record that `agentStepRecord` named. */
export function agentStep(
  { table, graph, read }: Pick<RowContext, "table" | "graph" | "read">,
  index: number,
): AgentStep | null {
  const record = read(agentStepRecord({ table, graph }, index));
  if (record?.kind !== "assistant") return null;
  const { lastBlock } = threadTotals(table, graph, index);
  const content = record.blocks[table.blocks.get("index", lastBlock)];
  if (content?.kind === "text") return { name: null, subject: firstWords(content.text, STEP_LENGTH) };
  if (content?.kind !== "tool-use") return null;
  const cwd = typeof record.json.cwd === "string" ? record.json.cwd : null;
  const { name, input } = content;
  const facts = { name, input, cwd, isError: false, text: null, isCut: false, result: null };
  return { name, subject: firstWords(describeCall(facts).subject, STEP_LENGTH) };
}

function threadsOfCall({ graph }: RowContext, call: number): number[] {
  if (call === NONE) return [];
  return graph.threads.flatMap((thread, index) =>
    isCallOf(thread, call) && !thread.internal && thread.agentId !== null ? [index] : [],
  );
}
