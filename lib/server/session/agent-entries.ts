import { agentStateOf } from "@/lib/log/graph/agent-state";
import { threadTotals } from "@/lib/log/graph/thread-totals";
import { asString } from "@/lib/log/records/json";
import { agentStep, agentStepRecord } from "@/lib/log/rows/called-agent";
import type { AgentId } from "@/lib/wire/ids";
import type { AgentEntry } from "@/lib/wire/session";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const NONE = -1;
const KEEP_BYTES = 1024;

/** The agents of a session, in order of appearance. The client's own errands are none. */
export function agentEntries(session: OpenSession): AgentEntry[] {
  const { graph, table } = session;
  return graph.threads.flatMap((thread, index): AgentEntry[] => {
    if (thread.agentId === null || thread.internal) return [];
    const { toolCalls, tokens, startMs, endMs } = threadTotals(table, graph, index);
    const use = thread.call === NONE ? NONE : table.calls.get("use", thread.call);
    const record = use === NONE ? NONE : table.blocks.get("record", use);
    return [
      {
        agentId: thread.agentId as AgentId,
        parentToolUseId: thread.toolUseId,
        parentRecordId: record === NONE ? null : session.recordId(record),
        type: thread.type,
        description: thread.description,
        depth: thread.depth,
        state: agentStateOf(table, thread),
        toolCalls,
        tokens,
        startedAtMs: Number.isNaN(startMs) ? null : startMs,
        durationMs: Number.isNaN(endMs - startMs) ? null : endMs - startMs,
        lane: thread.lane,
        step: null,
      },
    ];
  });
}

/** What only the records say, read for a page of entries: ids, types and descriptions of the calls, latest steps. */
export async function describeAgents(session: OpenSession, entries: AgentEntry[]): Promise<AgentEntry[]> {
  const callers = entries.map((entry) =>
    entry.parentRecordId === null ? NONE : session.find(entry.parentRecordId),
  );
  const { table, graph } = session;
  const threads = entries.map(({ agentId }) => graph.threads.findIndex((one) => one.agentId === agentId));
  const steps = threads.map((thread) => agentStepRecord(session, thread));
  const read = await readRecords(session, [...callers, ...steps], KEEP_BYTES);
  return entries.map((undescribed, index) => {
    const entry = { ...undescribed, step: agentStep({ table, graph, read }, threads[index] ?? NONE) };
    const record = read(callers[index] ?? NONE);
    const thread = graph.threads[threads[index] ?? NONE];
    const use = thread && thread.call !== NONE ? placeOfUse(session, thread.call) : NONE;
    const block = record?.kind === "assistant" && use !== NONE ? record.blocks[use] : undefined;
    if (block?.kind !== "tool-use") return entry;
    return {
      ...entry,
      parentToolUseId: block.id ?? entry.parentToolUseId,
      type: entry.type ?? asString(block.input.subagent_type),
      description: entry.description ?? asString(block.input.description),
    };
  });
}

function placeOfUse(session: OpenSession, call: number): number {
  const use = session.table.calls.get("use", call);
  return use === NONE ? NONE : session.table.blocks.get("index", use);
}
