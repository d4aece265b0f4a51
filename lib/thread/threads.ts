import { Flag, RecordKind } from "./kinds";
import type { SessionLog } from "./log-file";
import type { SessionTable } from "./session-table";
import { at } from "./table";

const NONE = -1;

/** The main thread, or a sub-agent's. Threads are numbered from 0; 0 is the main one. */
export type Thread = {
  agentId: string | null;
  file: number;
  /** The call that started it, -1 if none is known. */
  call: number;
  depth: number;
  /** The client's own errand (warm-up, prompt suggestion): in the files, but nobody's agent. */
  internal: boolean;
  type: string | null;
  description: string | null;
  /** Colour and shape, 1–8, by order of appearance. */
  lane: number;
  /** The call that its meta file names. */
  toolUseId: string | null;
};

export type Threads = { list: Thread[]; /** Record → thread. */ of: Uint16Array };

/**
 * Tells the threads apart. A file of its own is an agent (2.0.42 and later); in 1.0.128 agents stand
 * in the main log as sidechains, one for each sidechain root.
 */
export function findThreads(table: SessionTable, parents: Int32Array, logs: readonly SessionLog[]): Threads {
  const { records } = table;
  const list: Thread[] = [blankThread(null, 0)];
  const ofFile = logs.map((log, file) => (file === 0 ? 0 : list.push(agentThread(log, file)) - 1));
  const of = new Uint16Array(records.size);
  const begun = new Uint8Array(logs.length);
  for (let record = 0; record < records.size; record++) {
    const file = records.get("file", record);
    if (records.get("kind", record) === RecordKind.agentPrompt) begun[file] = 1;
    // 2.1.29 writes the last answer of a turn into the suggestion agent's file, ahead of its prompt.
    if (!begun[file] && isSuggestion(logs[file]?.agentId ?? null)) continue;
    const isSidechain = file === 0 && (records.get("flags", record) & Flag.sidechain) !== 0;
    if (!isSidechain) {
      of[record] = ofFile[file] ?? 0;
      continue;
    }
    const parent = at(parents, record);
    const inherited = parent === NONE || parent > record ? 0 : at(of, parent);
    of[record] = inherited || list.push(blankThread(`side${records.get("offset", record).toString(36)}`, 0)) - 1;
  }
  linkAgents(table, { list, of });
  return { list, of };
}

function isSuggestion(agentId: string | null): boolean {
  return agentId?.startsWith("aprompt_suggestion") === true;
}

function blankThread(agentId: string | null, file: number): Thread {
  const unknown = { type: null, description: null, toolUseId: null };
  return { agentId, file, call: NONE, depth: 0, internal: false, lane: 0, ...unknown };
}

function agentThread(log: SessionLog, file: number): Thread {
  const { agentType: type = null, description = null, toolUseId = null } = log.meta ?? {};
  return { ...blankThread(log.agentId, file), type, description, toolUseId };
}

/** Joins each agent to its call by whatever the version offers: see FORMAT "Sidechains". */
function linkAgents(table: SessionTable, { list, of }: Threads): void {
  const { calls, records, texts } = table;
  const byId = new Map<string, number>();
  const byPrompt = new Map<number, number[]>();
  for (let call = 0; call < calls.size; call++) {
    const named = table.agentIds.at(calls.get("agent", call));
    if (named !== null && !byId.has(named)) byId.set(named, call);
    const prompt = calls.get("prompt", call);
    if (prompt !== NONE && named === null) byPrompt.set(prompt, [...(byPrompt.get(prompt) ?? []), call]);
  }
  for (const { agentId, toolUseId } of table.agentHints) {
    const call = callOf(table, toolUseId);
    if (call !== NONE && !byId.has(agentId)) byId.set(agentId, call);
  }
  const firstPrompt = new Map<number, number>();
  for (let record = 0; record < records.size; record++) {
    const thread = at(of, record);
    if (thread !== 0 && !firstPrompt.has(thread) && records.get("kind", record) === RecordKind.agentPrompt) {
      firstPrompt.set(thread, records.get("link", record));
    }
  }
  const warmup = texts.find("Warmup");
  const claimed = new Set<number>();
  for (const [index, thread] of list.entries()) {
    if (index === 0) continue;
    const prompt = firstPrompt.get(index) ?? NONE;
    const named = callOf(table, thread.toolUseId);
    thread.call = named !== NONE ? named : (byId.get(thread.agentId ?? "") ?? byPrompt.get(prompt)?.shift() ?? NONE);
    if (thread.call === NONE && prompt === NONE) thread.call = earlierCall(table, of, index, byId, claimed);
    claimed.add(thread.call);
    thread.internal = isInternal(thread, prompt !== NONE && prompt === warmup, firstPrompt.has(index));
  }
  placeAgents(table, { list, of });
}

/**
 * The call of an agent that was interrupted in 2.0.42 or 2.0.50: no result names it and its file
 * holds no prompt, so it is the first Task before it that no other agent answers.
 */
function earlierCall(table: SessionTable, of: Uint16Array, thread: number, byId: ReadonlyMap<string, number>, claimed: ReadonlySet<number>): number {
  const { calls, blocks, records } = table;
  const started = records.get("atMs", of.indexOf(thread));
  const named = new Set(byId.values());
  for (let call = 0; call < calls.size; call++) {
    const use = calls.get("use", call);
    if (use === NONE || calls.get("prompt", call) === NONE || named.has(call) || claimed.has(call)) continue;
    if (table.tools.at(calls.get("tool", call)) === "Task" && records.get("atMs", blocks.get("record", use)) <= started) return call;
  }
  return NONE;
}

function callOf(table: SessionTable, toolUseId: string | null): number {
  if (toolUseId === null) return NONE;
  const id = table.toolIds.find(toolUseId);
  return id === -1 ? NONE : (table.callOfId[id] ?? NONE);
}

/** 2.0.42 and 2.0.50 agents have no prompt in their file: without a call either, they are warm-ups. */
function isInternal(thread: Thread, isWarmup: boolean, hasPrompt: boolean): boolean {
  if (isSuggestion(thread.agentId) || thread.agentId?.startsWith("acompact")) return true;
  return thread.call === NONE && (isWarmup || !hasPrompt);
}

function placeAgents(table: SessionTable, { list, of }: Threads): void {
  let lane = 0;
  for (const thread of list) {
    if (thread.agentId === null || thread.internal) continue;
    thread.lane = (lane++ % 8) + 1;
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
  const use = table.calls.get("use", thread.call);
  return use === NONE ? null : (list[at(of, table.blocks.get("record", use))] ?? null);
}
