import { compareCalls } from "@/lib/log/table/call-place";
import { CallState, RecordKind } from "@/lib/log/table/kinds";
import type { SessionLog } from "@/lib/log/table/log-file";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { isSuggestion, type Thread, type Threads } from "./threads";

const NONE = -1;
/** `killed` in every recording; TaskOutput and later versions have other words for it. */
const STOPPED: ReadonlySet<string | null> = new Set([
  "killed",
  "stopped",
  "cancelled",
  "canceled",
  "interrupted",
]);

/** Joins each agent to its calls by whatever the version offers, and to what is said of its end. */
export function linkAgents(table: SessionTable, logs: readonly SessionLog[], { list, of }: Threads): void {
  const { calls, records, texts } = table;
  const byId = new Map<string, number[]>();
  const byPrompt = new Map<number, number[]>();
  for (let call = 0; call < calls.size; call++) {
    const named = table.agentIds.at(calls.get("agent", call));
    if (named !== null) append(byId, named, call);
    const prompt = calls.get("prompt", call);
    if (prompt !== NONE && named === null) append(byPrompt, prompt, call);
  }
  const inOrder = (list: number[]) => list.sort((one, other) => compareCalls(table, one, other));
  for (const list of [...byId.values(), ...byPrompt.values()]) inOrder(list);
  const hinted = new Map<string, number[]>();
  for (const { agentId, toolUseId } of table.agentHints) {
    const call = callNamed(table, toolUseId);
    if (call !== NONE && !byId.get(agentId)?.includes(call)) append(hinted, agentId, call);
  }
  for (const [agentId, list] of hinted) for (const call of inOrder(list)) append(byId, agentId, call);
  const firstPrompt = new Map<number, number>();
  for (let record = 0; record < records.size; record++) {
    const thread = at(of, record);
    if (thread !== 0 && !firstPrompt.has(thread) && records.get("kind", record) === RecordKind.agentPrompt) {
      firstPrompt.set(thread, records.get("link", record));
    }
  }
  const warmup = texts.find("Warmup");
  const claimed = new Set<number>();
  const named = new Set([...byId.values()].flat());
  for (const [index, thread] of list.entries()) {
    if (index === 0) continue;
    const prompt = firstPrompt.get(index) ?? NONE;
    const byName = byId.get(thread.agentId ?? "") ?? byId.get(logs[thread.file]?.runId ?? "") ?? [];
    const own = callNamed(table, thread.toolUseId);
    thread.call = own !== NONE ? own : (byName[0] ?? byPrompt.get(prompt)?.shift() ?? NONE);
    if (thread.call === NONE && prompt === NONE) thread.call = earlierCall(table, of, index, named, claimed);
    // Before 2.1.110 no meta file tells; the call always does.
    if (thread.call !== NONE) thread.type ??= table.agentTypes.at(calls.get("agentType", thread.call));
    thread.resumes = byId.get(thread.agentId ?? "")?.filter((call) => call !== thread.call) ?? [];
    claimed.add(thread.call);
    thread.internal = isInternal(thread, prompt !== NONE && prompt === warmup, firstPrompt.has(index));
  }
  noteEnds(table, list);
}

function append<K>(map: Map<K, number[]>, key: K, value: number): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/**
 * The call of an agent that was interrupted in 2.0.42 or 2.0.50: no result names it and its file
 * holds no prompt, so it is the first Task before it that no other agent answers.
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
  const started = records.get("atMs", first);
  let earliest = NONE;
  for (let call = 0; call < calls.size; call++) {
    const use = calls.get("use", call);
    if (use === NONE || calls.get("prompt", call) === NONE || named.has(call) || claimed.has(call)) continue;
    if (
      table.tools.at(calls.get("tool", call)) === "Task" &&
      records.get("atMs", blocks.get("record", use)) <= started &&
      (earliest === NONE || compareCalls(table, call, earliest) < 0)
    )
      earliest = call;
  }
  return earliest;
}

/** The call with this tool-use id, -1 for none. */
export function callNamed(table: SessionTable, toolUseId: string | null): number {
  if (toolUseId === null) return NONE;
  const id = table.toolIds.find(toolUseId);
  return id === NONE ? NONE : (table.callOfId[id] ?? NONE);
}

/** 2.0.42 and 2.0.50 agents have no prompt in their file: without a call either, they are warm-ups. */
function isInternal(thread: Thread, isWarmup: boolean, hasPrompt: boolean): boolean {
  if (isSuggestion(thread.agentId) || thread.agentId?.startsWith("acompact")) return true;
  return thread.call === NONE && (isWarmup || !hasPrompt);
}

/** The last word on an agent's end holds: a resumed one ends more than once. */
function noteEnds(table: SessionTable, list: Thread[]): void {
  if (table.notices.length === 0) return;
  const byId = new Map(list.map((thread) => [thread.agentId, thread]));
  for (const { agentId, toolUseId, record, status } of table.notices) {
    const state =
      status === "completed" ? CallState.ok : STOPPED.has(status) ? CallState.interrupted : CallState.error;
    const named = agentId === null ? undefined : byId.get(agentId);
    const call = named ? NONE : callNamed(table, toolUseId);
    const ended = named ? [named] : call === NONE ? [] : list.filter((thread) => thread.call === call);
    for (const thread of ended) if (isLater(table, record, thread.end)) thread.end = { record, state };
  }
}

/** By file and line, whatever was read first. */
function isLater({ records }: SessionTable, record: number, end: Thread["end"]): boolean {
  if (end === null) return true;
  const [one, other] = [records.get("file", end.record), records.get("file", record)];
  return one === other ? record >= end.record : other > one;
}
