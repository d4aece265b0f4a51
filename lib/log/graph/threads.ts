import { addTo } from "@/lib/format/lists";
import { compareCalls } from "@/lib/log/table/calls";
import { BlockKind, CallState, Flag, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionLog, type SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { type AgentId, sidechainAgentId } from "@/lib/wire/ids";

const NONE = -1;
const MAX_THREADS = 65_535;

/** The main thread, or a sub-agent's. Threads are numbered from 0; 0 is the main one. */
export type Thread = {
  agentId: AgentId | null;
  file: number;
  /** The call that started it, -1 if none is known. */
  call: number;
  /** Later calls that resumed it (`resume`, 2.0.76–2.1.42; SendMessage, 2.1.200 and later), in order. */
  resumes: number[];
  depth: number;
  /** An agent of the client itself (warm-up, prompt suggestion): it is in the files, but no call started it. */
  internal: boolean;
  type: string | null;
  description: string | null;
  /** Colour and shape, 1–8, by order of appearance. */
  lane: number;
  /** The call named in its meta file. */
  toolUseId: string | null;
  /** The record (a notification or a look at its output) that reported its end, and the state reported (`CallState`). */
  end: { record: number; state: number } | null;
};

/** The threads of a session, the main one first, and of each record the index of its thread. */
export type Threads = { list: Thread[]; of: Uint16Array };

/**
 * Assigns every record to a thread. A file of its own is an agent (2.0.42 and later); in 1.0.128 agents are
 * sidechains in the main log, one for each sidechain root. Agents come in order of appearance.
 */
export function findThreads(table: SessionTable, parents: Int32Array, logs: readonly SessionLog[]): Threads {
  const { records } = table;
  const list: Thread[] = [blankThread(null, 0)];
  const ofFile = logs.map((log, file) => (file === 0 ? 0 : list.push(agentThread(log, file)) - 1));
  const of = new Uint16Array(records.size);
  const begun = new Uint8Array(logs.length);
  for (let record = 0; record < records.size; record++) {
    const file = records.file.at(record);
    if (records.kind.at(record) === RecordKind.agentPrompt) begun[file] = 1;
    // 2.1.29 writes the last answer of a turn into the suggestion agent's file, ahead of its prompt.
    if (!begun[file] && isSuggestion(logs[file]?.agentId ?? null)) continue;
    if (!isSidechain(table, record)) of[record] = ofFile[file] ?? 0;
  }
  assignSidechains(table, parents, { list, of });
  linkAgents(table, logs, { list, of });
  linkByParent(table, parents, { list, of });
  return orderThreads(table, { list, of });
}

function isSidechain({ records }: SessionTable, record: number): boolean {
  return records.file.at(record) === 0 && (records.flags.at(record) & Flag.sidechain) !== 0;
}

/** Gives every sidechain of the main log a thread, from its root down. A child may be written before its parent. */
function assignSidechains(table: SessionTable, parents: Int32Array, { list, of }: Threads): void {
  const { records } = table;
  const trail: number[] = [];
  for (let start = 0; start < records.size; start++) {
    if (!isSidechain(table, start) || at(of, start)) continue;
    let root = start;
    trail.length = 0;
    for (let up = start; up !== NONE && isSidechain(table, up); up = at(parents, up)) {
      root = up;
      if (at(of, up)) break;
      trail.push(up);
    }
    if (!at(of, root) && list.length < MAX_THREADS) {
      list.push(blankThread(sidechainAgentId(records.offset.at(root)), 0));
    }
    const thread = at(of, root) || list.length - 1;
    for (const record of trail) of[record] = thread;
  }
}

/** True for the client's own prediction of the next prompt. */
export function isSuggestion(agentId: string | null): boolean {
  return agentId?.startsWith("aprompt_suggestion") === true;
}

/** A log's agent is named by its file: from here on its name is an id. */
function blankThread(named: string | null, file: number): Thread {
  const unknown = { type: null, description: null, toolUseId: null };
  return {
    agentId: named as AgentId | null,
    file,
    call: NONE,
    resumes: [],
    depth: 0,
    internal: false,
    lane: 0,
    end: null,
    ...unknown,
  };
}

function agentThread(log: SessionLog, file: number): Thread {
  const { agentType: type = null, description = null, toolUseId = null } = log.meta ?? {};
  return { ...blankThread(log.agentId, file), type, description, toolUseId };
}

/** `killed` in every recording; TaskOutput and later versions use other terms. */
const STOPPED: ReadonlySet<string | null> = new Set([
  "killed",
  "stopped",
  "cancelled",
  "canceled",
  "interrupted",
]);

/** Joins each agent to its calls by whatever the version offers, and to the reports of its end. */
function linkAgents(table: SessionTable, logs: readonly SessionLog[], { list, of }: Threads): void {
  const { records, texts } = table;
  const byId = new Map<string, number[]>();
  const byPrompt = new Map<number, number[]>();
  for (const { call, agent, prompt } of table.startedAgents.list) {
    if (table.isCopy(call)) continue; // it started nothing
    const named = table.agentIds.at(agent);
    if (named !== null) addTo(byId, named, call);
    if (prompt !== NONE && named === null) addTo(byPrompt, prompt, call);
  }
  const inOrder = (list: number[]) => list.sort((one, other) => compareCalls(table, one, other));
  for (const list of [...byId.values(), ...byPrompt.values()]) inOrder(list);
  const hinted = new Map<string, number[]>();
  for (const { agentId, toolUseId } of table.agentHints) {
    const call = callNamed(table, toolUseId);
    if (call !== NONE && !byId.get(agentId)?.includes(call)) addTo(hinted, agentId, call);
  }
  for (const [agentId, list] of hinted) for (const call of inOrder(list)) addTo(byId, agentId, call);
  const firstPrompt = new Map<number, number>();
  const startedAtMs = list.map(() => Number.POSITIVE_INFINITY);
  for (let record = 0; record < records.size; record++) {
    const thread = at(of, record);
    const ms = records.atMs.at(record);
    if (ms < (startedAtMs[thread] as number)) startedAtMs[thread] = ms;
    if (thread !== 0 && !firstPrompt.has(thread) && records.kind.at(record) === RecordKind.agentPrompt) {
      firstPrompt.set(thread, records.link.at(record));
    }
  }
  const warmup = texts.find("Warmup");
  const claimed = new Set<number>();
  const named = new Set([...byId.values()].flat());
  const reported = new Set(table.notices.map(({ agentId }) => agentId));
  // Agents of one prompt that were interrupted are told apart by when they began alone (2.1.90): calls start them in order.
  const byStart = [...list.entries()].sort(
    ([a], [b]) => compareTimes(startedAtMs[a] as number, startedAtMs[b] as number) || a - b,
  );
  for (const [index, thread] of byStart) {
    if (index === 0) continue;
    const prompt = firstPrompt.get(index) ?? NONE;
    const byName = byId.get(thread.agentId ?? "") ?? byId.get(logs[thread.file]?.runId ?? "") ?? [];
    const own = callNamed(table, thread.toolUseId);
    thread.call = own !== NONE ? own : (byName[0] ?? byPrompt.get(prompt)?.shift() ?? NONE);
    const isNamed = thread.toolUseId !== null;
    if (thread.call === NONE && prompt === NONE && !isNamed)
      thread.call = earlierCall(table, of, index, named, claimed);
    // Before 2.1.110 there is no meta file; the call always names the type.
    if (thread.call !== NONE) thread.type ??= table.agentTypes.at(table.startedAgents.of(thread.call).type);
    thread.resumes = byId.get(thread.agentId ?? "")?.filter((call) => call !== thread.call) ?? [];
    claimed.add(thread.call);
    const isWarmup = firstPrompt.has(index)
      ? prompt !== NONE && prompt === warmup
      : !reported.has(thread.agentId);
    thread.internal = isInternal(thread, isWarmup);
  }
  noteEnds(table, list);
}

function compareTimes(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/**
 * The call of an agent that was interrupted in 2.0.42 or 2.0.50: no result names it and its file
 * has no prompt, so it is the first Task before it that no other agent answers.
 */
function earlierCall(
  table: SessionTable,
  of: Uint16Array,
  thread: number,
  named: ReadonlySet<number>,
  claimed: ReadonlySet<number>,
): number {
  const { calls, blocks, records } = table;
  const first = of.indexOf(thread);
  if (first === NONE) return NONE;
  const started = records.atMs.at(first);
  let earliest = NONE;
  for (const { call, prompt } of table.startedAgents.list) {
    const use = calls.use.at(call);
    if (use === NONE || prompt === NONE || named.has(call) || claimed.has(call)) continue;
    if (table.isCopy(call)) continue;
    if (
      table.tools.at(calls.tool.at(call)) === "Task" &&
      records.atMs.at(blocks.record.at(use)) <= started &&
      (earliest === NONE || compareCalls(table, call, earliest) < 0)
    )
      earliest = call;
  }
  return earliest;
}

/** The call with this tool-use id, -1 for none. */
export function callNamed(table: SessionTable, toolUseId: string | null): number {
  if (toolUseId === null) return NONE;
  return table.callOf(table.toolIds.find(toolUseId)) ?? NONE;
}

/**
 * 2.0.42 and 2.0.50 agents have no prompt in their file: without a call either, they are warm-ups. So has one that worked
 * on while its session was cleared: it goes on in a file of the new session (2.1.332), which the call in its meta file, or
 * the report of its end, tells apart.
 * @param isWarmup its prompt is that of a warm-up, or it has none and nothing reported its end
 */
function isInternal(thread: Thread, isWarmup: boolean): boolean {
  if (isSuggestion(thread.agentId) || thread.agentId?.startsWith("acompact")) return true;
  return thread.call === NONE && thread.toolUseId === null && isWarmup;
}

/** Notes the last report of each agent's end: a resumed agent ends more than once. */
function noteEnds(table: SessionTable, list: Thread[]): void {
  if (table.notices.length === 0) return;
  const byId = new Map<string | null, Thread>(list.map((thread) => [thread.agentId, thread]));
  for (const { agentId, toolUseId, record, status } of table.notices) {
    const state =
      status === "completed" ? CallState.ok : STOPPED.has(status) ? CallState.interrupted : CallState.error;
    const named = agentId === null ? undefined : byId.get(agentId);
    const call = named ? NONE : callNamed(table, toolUseId);
    const ended = named ? [named] : call === NONE ? [] : list.filter((thread) => thread.call === call);
    for (const thread of ended) if (isLater(table, record, thread.end)) thread.end = { record, state };
  }
}

/** Compares by file and line, in whatever order the files were read. */
function isLater({ records }: SessionTable, record: number, end: Thread["end"]): boolean {
  if (end === null) return true;
  const [one, other] = [records.file.at(end.record), records.file.at(record)];
  return one === other ? record >= end.record : other > one;
}

/**
 * Joins a sidechain to the call that is its parent. Before 1.0 its first line, in which Claude has the
 * human's role, names the line of the call as its parent (`lib/testing/fixtures/older/conversations`); no later version does.
 */
function linkByParent(table: SessionTable, parents: Int32Array, { list, of }: Threads): void {
  const claimed = new Set(list.map((thread) => thread.call));
  for (const [index, thread] of list.entries()) {
    if (index === 0 || thread.file !== 0 || thread.call !== NONE) continue;
    const root = of.indexOf(index);
    const above = root === NONE ? NONE : at(parents, root);
    if (above === NONE || at(of, above) === index) continue;
    thread.call = freeCall(table, above, claimed);
    claimed.add(thread.call);
  }
}

/** The first call of a record that has a prompt and that no other agent answers. */
function freeCall(table: SessionTable, record: number, claimed: ReadonlySet<number>): number {
  for (const block of blocksOf(table, record)) {
    if (table.blocks.kind.at(block) !== BlockKind.call) continue;
    const call = table.blocks.call.at(block);
    if (table.startedAgents.of(call).prompt !== NONE && !claimed.has(call)) return call;
  }
  return NONE;
}

const LANES = 8;

/** Numbers the threads by when they appear (the main one stays 0), and gives agents their depth and lane. */
function orderThreads(table: SessionTable, { list, of }: Threads): Threads {
  const times = startTimes(table, { list, of });
  const agents = list.map((_, thread) => thread).slice(1);
  const callOf = (thread: number) => list[thread]?.call ?? NONE;
  agents.sort(
    (a, b) =>
      (times[a] as number) - (times[b] as number) ||
      compareCalls(table, callOf(a), callOf(b)) ||
      compareFiles(list, a, b),
  );
  const order = [0, ...agents];
  const newIndex = new Uint16Array(list.length);
  for (const [index, thread] of order.entries()) newIndex[thread] = index;
  const ordered = {
    list: order.map((thread) => list[thread] as Thread),
    of: of.map((thread) => at(newIndex, thread)),
  };
  setDepths(table, ordered);
  return ordered;
}

/** When each thread's call was made, or else its first record was written; last if neither has a time. */
function startTimes(table: SessionTable, { list, of }: Threads): Float64Array {
  const { records, calls, blocks } = table;
  const times = new Float64Array(list.length).fill(Number.POSITIVE_INFINITY);
  for (let record = 0; record < records.size; record++) {
    const ms = records.atMs.at(record);
    const thread = at(of, record);
    if (ms < (times[thread] as number)) times[thread] = ms;
  }
  const sharing = new Map<number, number>();
  for (const { call } of list) sharing.set(call, (sharing.get(call) ?? 0) + 1);
  for (const [index, { call }] of list.entries()) {
    const use = call === NONE ? NONE : calls.use.at(call);
    const ms = use === NONE ? Number.NaN : records.atMs.at(blocks.record.at(use));
    // The agents of a workflow share their call, so their own times are used.
    if (!Number.isNaN(ms) && sharing.get(call) === 1) times[index] = ms;
  }
  return times;
}

/** Sidechains of the main log in file order; files by agent name, because new files are numbered as they appear. */
function compareFiles(list: readonly Thread[], a: number, b: number): number {
  const [one, other] = [list[a], list[b]];
  if (!one || !other || one.file === 0 || other.file === 0) return a - b;
  const [left, right] = [one.agentId ?? "", other.agentId ?? ""];
  return left < right ? -1 : left > right ? 1 : a - b;
}

function setDepths(table: SessionTable, { list, of }: Threads): void {
  let lane = 0;
  for (const thread of list) {
    if (thread.agentId === null || thread.internal) continue;
    thread.lane = (lane++ % LANES) + 1;
    thread.depth = 1;
    const seen = new Set([thread]);
    let parent = callerOf(table, of, list, thread);
    while (parent && parent.agentId !== null && !seen.has(parent)) {
      seen.add(parent);
      thread.depth += 1;
      parent = callerOf(table, of, list, parent);
    }
  }
}

function callerOf(table: SessionTable, of: Uint16Array, list: Thread[], thread: Thread): Thread | null {
  if (thread.call === NONE) return null;
  const use = table.calls.use.at(thread.call);
  return use === NONE ? null : (list[at(of, table.blocks.record.at(use))] ?? null);
}
