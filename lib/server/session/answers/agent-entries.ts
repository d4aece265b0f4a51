import { noCost, toCost } from "@/lib/cost/price-table";
import { agentStateOf } from "@/lib/log/graph/agent-state";
import { threadUsages } from "@/lib/log/graph/session-cost";
import { threadTotals, workedMs } from "@/lib/log/graph/thread-totals";
import { asString } from "@/lib/log/records/json";
import { type BranchTurns, branchTurns } from "@/lib/log/rows/branch-turns";
import { agentStep, agentStepRecord } from "@/lib/log/rows/called-agent";
import { compareCalls } from "@/lib/log/table/calls";
import { at } from "@/lib/log/table/table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { AgentEntry, FileEntry } from "@/lib/wire/session";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { firstThread } from "./branch-entries";

const NONE = -1;
const KEEP_BYTES = 1024;

/** The agents of a session, in order of appearance, without the client's internal ones. */
export function agentEntries(session: OpenSession): AgentEntry[] {
  const { graph, table } = session;
  const usages = threadUsages(table, graph, pricesInUse().table);
  return graph.threads.flatMap((thread, index): AgentEntry[] => {
    if (thread.agentId === null || thread.internal) return [];
    const { toolCalls, tokens, startMs, endMs, rounds } = threadTotals(table, graph, index);
    const use = thread.call === NONE ? NONE : table.calls.use.at(thread.call);
    const record = use === NONE ? NONE : table.blocks.record.at(use);
    const caller = record === NONE ? undefined : graph.threads[at(graph.threadOf, record)];
    return [
      {
        agentId: thread.agentId,
        parentToolUseId: thread.toolUseId,
        parentRecordId: record === NONE ? null : session.recordId(record),
        parentAgentId: caller?.agentId ?? null,
        type: thread.type,
        description: thread.description,
        depth: thread.depth,
        state: agentStateOf(table, thread),
        toolCalls,
        tokens,
        cost: toCost(usages[index]?.cost ?? noCost()),
        startedAtMs: Number.isNaN(startMs) ? null : startMs,
        endedAtMs: Number.isNaN(endMs) ? null : endMs,
        durationMs: workedMs(rounds),
        lane: thread.lane,
        step: null,
      },
    ];
  });
}

/**
 * Adds what must be read from the records, for a page of entries: ids, types and descriptions of the calls, latest
 * steps.
 */
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
    const use = thread && thread.call !== NONE ? recordOfUse(session, thread.call) : NONE;
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

function recordOfUse(session: OpenSession, call: number): number {
  const use = session.table.calls.use.at(call);
  return use === NONE ? NONE : session.table.blocks.index.at(use);
}

/**
 * Calls in the order of time: agents work while the main thread does, each with a log of its own. A call without a time
 * keeps its place after the one before it in its log.
 */
export function callsInTime({ table }: OpenSession, calls: readonly number[]): number[] {
  const { blocks, records } = table;
  let file = NONE;
  let atMs = Number.NEGATIVE_INFINITY;
  const timed = calls
    .toSorted((a, b) => compareCalls(table, a, b))
    .map((call) => {
      const [use, result] = [table.calls.use.at(call), table.calls.result.at(call)];
      const record = blocks.record.at(result === NONE ? use : result);
      if (records.file.at(record) !== file) atMs = Number.NEGATIVE_INFINITY;
      file = records.file.at(record);
      const ms = records.atMs.at(record);
      if (!Number.isNaN(ms)) atMs = ms;
      return { call, atMs };
    });
  // Two logs without any time come one after the other.
  return timed.sort((a, b) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs)).map(({ call }) => call);
}

/** The files that calls changed, most lines first, each with its changes in the order of time. */
export function fileEntries(session: OpenSession): FileEntry[] {
  const { table } = session;
  const { calls, blocks, paths } = table;
  const entries = new Map<string, FileEntry>();
  const turnOf = turnOfRecords(session);
  const changes: number[] = [];
  for (let call = 0; call < calls.size; call++)
    if (calls.path.at(call) !== NONE && calls.use.at(call) !== NONE && !table.isCopy(call))
      changes.push(call);
  for (const call of callsInTime(session, changes)) {
    const path = paths.at(calls.path.at(call)) ?? "";
    const use = calls.use.at(call);
    const entry = entries.get(path) ?? {
      path,
      added: 0,
      removed: 0,
      calls: 0,
      recordIds: [],
      blocks: [],
      turns: [],
      addedBy: [],
      removedBy: [],
    };
    entry.added += calls.added.at(call);
    entry.removed += calls.removed.at(call);
    entry.calls += 1;
    entry.recordIds.push(session.recordId(blocks.record.at(use)));
    entry.blocks.push(blocks.index.at(use));
    entry.turns.push(turnOf(blocks.record.at(use)));
    entry.addedBy.push(calls.added.at(call));
    entry.removedBy.push(calls.removed.at(call));
    entries.set(path, entry);
  }
  return [...entries.values()].sort(
    (a, b) => b.added + b.removed - (a.added + a.removed) || (a.path < b.path ? -1 : 1),
  );
}

/** Maximum depth of agents that start agents. */
const MAX_DEPTH = 64;

const turnsOf = new WeakMap<OpenSession, BranchTurns>();

/** The turns of the main thread's active branch; `null` where there is none. Cached with the state of the session. */
export function activeTurns(session: OpenSession): BranchTurns | null {
  const { graph, table } = session;
  const [active] = graph.branches[firstThread(session)] ?? [];
  if (!active) return null;
  const turns = turnsOf.get(session) ?? branchTurns(table, graph, active.leaf);
  turnsOf.set(session, turns);
  return turns;
}

/**
 * Returns a look-up of the turn of the active branch in which a record was written; an agent's belong to the turn that
 * started the agent. 0 for one on another branch, before the first prompt, or of an agent without a known start.
 */
export function turnOfRecords(session: OpenSession): (record: number) => number {
  const { graph, table } = session;
  const main = firstThread(session);
  const turns = activeTurns(session);
  return (record) => {
    let current = record;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const thread = at(graph.threadOf, current);
      if (thread === main) return turns?.of(current) ?? 0;
      const call = graph.threads[thread]?.call ?? NONE;
      const use = call === NONE ? NONE : table.calls.use.at(call);
      if (use === NONE) return 0;
      current = table.blocks.record.at(use);
    }
    return 0;
  };
}
