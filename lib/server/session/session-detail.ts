import { asNumber, asObject } from "@/lib/records/json";
import { agentStateOf } from "@/lib/thread/agent-state";
import { compareCalls } from "@/lib/thread/call-place";
import { RecordKind } from "@/lib/thread/kinds";
import { agentStep, agentStepRecord } from "@/lib/thread/rows/called-agent";
import { timeOf } from "@/lib/thread/rows/row-context";
import { startsTurn } from "@/lib/thread/starts-turn";
import { at } from "@/lib/thread/table";
import { threadTotals } from "@/lib/thread/thread-totals";
import type { AgentId } from "@/lib/wire/ids";
import type { AgentEntry, FileEntry, Phase } from "@/lib/wire/session";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";
import { turnOfCalls } from "./turn-of-calls";

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
    const { description, subagent_type: type } = block.input as {
      description?: unknown;
      subagent_type?: unknown;
    };
    return {
      ...entry,
      parentToolUseId: block.id ?? entry.parentToolUseId,
      type: entry.type ?? (typeof type === "string" ? type : null),
      description: entry.description ?? (typeof description === "string" ? description : null),
    };
  });
}

function placeOfUse(session: OpenSession, call: number): number {
  const use = session.table.calls.get("use", call);
  return use === NONE ? NONE : session.table.blocks.get("index", use);
}

/** The files that calls changed, most lines first. */
export function fileEntries(session: OpenSession): FileEntry[] {
  const { calls, blocks, paths } = session.table;
  const entries = new Map<string, FileEntry>();
  const turnOf = turnOfCalls(session);
  const changes: number[] = [];
  for (let call = 0; call < calls.size; call++)
    if (calls.get("path", call) !== NONE && calls.get("use", call) !== NONE) changes.push(call);
  for (const call of changes.sort((a, b) => compareCalls(session.table, a, b))) {
    const path = paths.at(calls.get("path", call)) ?? "";
    const use = calls.get("use", call);
    const entry = entries.get(path) ?? {
      path,
      added: 0,
      removed: 0,
      calls: 0,
      recordIds: [],
      blocks: [],
      turns: [],
    };
    entry.added += calls.get("added", call);
    entry.removed += calls.get("removed", call);
    entry.calls += 1;
    entry.recordIds.push(session.recordId(blocks.get("record", use)));
    entry.blocks.push(blocks.get("index", use));
    entry.turns.push(turnOf(call));
    entries.set(path, entry);
  }
  return [...entries.values()].sort(
    (a, b) => b.added + b.removed - (a.added + a.removed) || (a.path < b.path ? -1 : 1),
  );
}

/** What lies between the compactions of the active branch. */
export async function phasesOf(session: OpenSession): Promise<Phase[]> {
  const [active] = session.graph.branches[0] ?? [];
  if (!active) return [];
  const { table, graph } = session;
  const path = session.path(active).records;
  const starts = [0];
  for (let i = 1; i < path.length; i++)
    if (table.records.get("kind", at(path, i)) === RecordKind.compactBoundary) starts.push(i);
  const read = await readRecords(
    session,
    starts.map((i) => at(path, i)),
    KEEP_BYTES,
  );
  return starts.map((from, index) => {
    const record = at(path, from);
    const logged = read(record);
    const metadata = logged?.kind === "system" ? asObject(logged.json.compactMetadata) : null;
    let turns = 0;
    for (let i = from; i < (starts[index + 1] ?? path.length); i++)
      if (startsTurn(table, graph, at(path, i))) turns += 1;
    return {
      fromRecordId: session.recordId(record),
      startedAtMs: timeOf(table, record),
      turns,
      preTokens: asNumber(metadata?.preTokens),
      postTokens: asNumber(metadata?.postTokens),
    };
  });
}
