import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionLog } from "@/lib/log/table/log-file";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { linkAgents } from "./link-agents";
import { linkByParent } from "./link-by-parent";
import { orderThreads } from "./order-threads";

const NONE = -1;
const MOST_THREADS = 65_535;

/** The main thread, or a sub-agent's. Threads are numbered from 0; 0 is the main one. */
export type Thread = {
  agentId: string | null;
  file: number;
  /** The call that started it, -1 if none is known. */
  call: number;
  /** Later calls that went on with it (`resume`, 2.0.76–2.1.42), in order. */
  resumes: number[];
  depth: number;
  /** The client's own errand (warm-up, prompt suggestion): in the files, but nobody's agent. */
  internal: boolean;
  type: string | null;
  description: string | null;
  /** Colour and shape, 1–8, by order of appearance. */
  lane: number;
  /** The call that its meta file names. */
  toolUseId: string | null;
  /** Where a notification or a look at its output told that it had ended, and in what state (`CallState`). */
  end: { record: number; state: number } | null;
};

export type Threads = { list: Thread[] /** Record → thread. */; of: Uint16Array };

/**
 * Tells the threads apart. A file of its own is an agent (2.0.42 and later); in 1.0.128 agents stand
 * in the main log as sidechains, one for each sidechain root. Agents come in order of appearance.
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
    if (!isSidechain(table, record)) of[record] = ofFile[file] ?? 0;
  }
  placeSidechains(table, parents, { list, of });
  linkAgents(table, logs, { list, of });
  linkByParent(table, parents, { list, of });
  return orderThreads(table, { list, of });
}

function isSidechain({ records }: SessionTable, record: number): boolean {
  return records.get("file", record) === 0 && (records.get("flags", record) & Flag.sidechain) !== 0;
}

/** Gives every sidechain of the main log a thread, from its root down. A child may be written before its parent. */
function placeSidechains(table: SessionTable, parents: Int32Array, { list, of }: Threads): void {
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
    if (!at(of, root) && list.length < MOST_THREADS) {
      list.push(blankThread(`side${records.get("offset", root).toString(36)}`, 0));
    }
    const thread = at(of, root) || list.length - 1;
    for (const record of trail) of[record] = thread;
  }
}

/** True for the client's own look ahead at what a person might type next. */
export function isSuggestion(agentId: string | null): boolean {
  return agentId?.startsWith("aprompt_suggestion") === true;
}

function blankThread(agentId: string | null, file: number): Thread {
  const unknown = { type: null, description: null, toolUseId: null };
  return {
    agentId,
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
