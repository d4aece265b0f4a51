import { asNumber, asObject } from "@/lib/records/json";
import { agentStateOf } from "@/lib/thread/agent-state";
import type { Branch } from "@/lib/thread/branches";
import { compareCalls } from "@/lib/thread/call-place";
import { firstWords } from "@/lib/thread/cut-text";
import { RecordKind } from "@/lib/thread/kinds";
import { startsTurn } from "@/lib/thread/path";
import { timeOf } from "@/lib/thread/rows/row-context";
import { promptRecord, typedPrompt } from "@/lib/thread/rows/turn-row";
import { membersOf } from "@/lib/thread/steps";
import { at } from "@/lib/thread/table";
import { threadTotals } from "@/lib/thread/thread-totals";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { AgentEntry, BranchEntry, FileEntry, Phase } from "@/lib/wire/session";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";
import { turnOfCalls } from "./turn-of-calls";

const NONE = -1;
const KEEP_BYTES = 1024;
const PROMPT_WORDS = 120;

/** The branches of the main thread, the active one first. */
export async function branchEntries(
  session: OpenSession,
  branches: readonly Branch[],
): Promise<BranchEntry[]> {
  const first = new Map(branches.map((branch) => [branch, firstOwnPrompt(session, branch)]));
  const sources = [...first.values()].map((record) =>
    record === NONE ? NONE : promptRecord(session, record),
  );
  const read = await readRecords(
    session,
    [...sources, ...branches.map((branch) => branch.leafRecord)],
    KEEP_BYTES,
  );
  return branches.map((branch) => {
    const prompt = first.get(branch) ?? NONE;
    const leaf = read(branch.leafRecord);
    const own = branch.ownFrom;
    const stem = own === NONE ? NONE : at(session.graph.steps.parent, own);
    const path = session.path(branch);
    return {
      id: session.recordId(branch.leafRecord) as string as BranchId,
      leafUuid: leaf && leaf.kind !== "unreadable" ? leaf.uuid : null,
      forkedAtRecordId: stem === NONE ? null : session.recordId(lastMember(session, stem)),
      prompt:
        prompt === NONE ? null : firstWords(typedPrompt(read(promptRecord(session, prompt))), PROMPT_WORDS),
      turns: path.turns.length - 1,
      lastActiveAtMs: lastTime(session, path.records),
      active: branch === session.graph.branches[0]?.[0],
    };
  });
}

function lastMember({ graph: { steps } }: OpenSession, step: number): number {
  return [...membersOf(steps, step)].at(-1) ?? NONE;
}

function lastTime({ table }: OpenSession, path: Int32Array): number | null {
  for (let i = path.length - 1; i >= 0; i--) {
    const ms = timeOf(table, at(path, i));
    if (ms !== null) return ms;
  }
  return null;
}

function firstOwnPrompt(session: OpenSession, branch: Branch): number {
  const { table, graph } = session;
  const path = session.path(branch).records;
  let own = branch.ownFrom === NONE;
  for (let i = 0; i < path.length; i++) {
    const record = at(path, i);
    own ||= at(graph.steps.of, record) === branch.ownFrom;
    if (own && startsTurn(table, graph, record)) return record;
  }
  return NONE;
}

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
      },
    ];
  });
}

/** What the calls say that the agents' files don't: ids, types and descriptions, read for a page of entries. */
export async function describeAgents(session: OpenSession, entries: AgentEntry[]): Promise<AgentEntry[]> {
  const callers = entries.map((entry) =>
    entry.parentRecordId === null ? NONE : session.find(entry.parentRecordId),
  );
  const read = await readRecords(session, callers, KEEP_BYTES);
  return entries.map((entry, index) => {
    const record = read(callers[index] ?? NONE);
    const thread = session.graph.threads.find((one) => one.agentId === entry.agentId);
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
