import { LineSplitter } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import { statOf } from "@/lib/server/disk/kept-files";
import { readRangeSync } from "@/lib/server/disk/read-range";
import type { AgentLog, SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { toolNamed } from "@/lib/tools/tools";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import type { LiveCall } from "@/lib/wire/live";
import { callsOf, KEEP_BYTES, resultsOf, type SeenCall } from "./tail-facts";

/** So many agents of a session may be at work at once. */
const MAX_AT_WORK = 16;
/** Of what an agent wrote since it was looked at last no more is read. */
const MAX_BYTES = 2 << 20;
/** At first no more than this, for the calls that are open: what was said before is no news. */
const FIRST_BYTES = 128 << 10;
/** What was written longer ago is no news when it turns up, as a copy does. */
const FRESH_MS = 10 * 60_000;
const NEWLINE = 0x0a;

/**
 * Up to where an agent's log was read, when it was written, the newest time in what was read, and its calls that have no
 * result yet, by their ids.
 */
type ReadUpTo = {
  agentId: string;
  offset: number;
  writtenAtMs: number;
  lineAtMs: number | null;
  open: Map<string, OpenCall>;
};

/** `isNews`: it was begun since the session was asked for first. */
type OpenCall = { call: SeenCall; isNews: boolean };

/**
 * An agent with an open call that its person may be asked about, and when its log was last written. `soonOver`: if nobody
 * was asked, it would be seen to run, or be over.
 */
export type AskingAgent = { agentId: string; atMs: number; soonOver: boolean };

/** Whether a call of this tool is over in a moment, or has a process while it runs. Others may take any time without one. */
export function isSoonOver(name: string): boolean {
  const tool = toolNamed(name);
  return tool?.asks === undefined && (tool?.family === "shell" || tool?.family === "files");
}

/** The calls that agents of running sessions begin. Each log is read on from where it was read last, and never before that. */
export class AgentCalls {
  readonly #logs = new Map<SessionId, Map<string, ReadUpTo>>();

  /**
   * What a session's agents have begun, or failed at, since it was asked for last. At first there is nothing to tell: what
   * is there is taken for known.
   */
  take(files: SessionFiles): LiveCall[] {
    const newest = files.agents.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_AT_WORK);
    const known = this.#logs.get(files.id);
    if (!known) {
      const all = new Map(files.agents.map((agent) => [agent.path, readUpTo(agent, agent.bytes)]));
      this.#logs.set(files.id, all);
      for (const agent of newest) {
        all.delete(agent.path);
        readOn(files.root, agent, all, false);
      }
      return [];
    }
    const unknown = files.agents.filter(({ path }) => !known.has(path));
    return [...new Set([...newest, ...unknown])].flatMap((agent) => readOn(files.root, agent, known, true));
  }

  /** The agents that may be asking their person something, as of the last `take`. */
  asking(id: SessionId): AskingAgent[] {
    return [...(this.#logs.get(id)?.values() ?? [])].flatMap(({ agentId, writtenAtMs, open }) => {
      const calls = [...open.values()].filter(({ call }) => toolNamed(call.name)?.asks !== "never");
      const soonOver = calls.every(({ call }) => isSoonOver(call.name));
      return calls.length > 0 ? [{ agentId, atMs: writtenAtMs, soonOver }] : [];
    });
  }

  /** The newest time in an agent's log, as of the last `take`; `null` where that has read none of it. */
  lineAtMs(id: SessionId, path: string): number | null {
    return this.#logs.get(id)?.get(path)?.lineAtMs ?? null;
  }

  forget(id: SessionId): void {
    this.#logs.delete(id);
  }
}

function readUpTo({ agentId, mtimeMs }: AgentLog, offset: number): ReadUpTo {
  return { agentId, offset, writtenAtMs: mtimeMs, lineAtMs: null, open: new Map() };
}

function readOn(root: string, agent: AgentLog, known: Map<string, ReadUpTo>, isNews: boolean): LiveCall[] {
  try {
    const stats = statOf(agent.path);
    if (!stats) return [];
    const isOld = Date.now() - stats.mtimeMs > FRESH_MS;
    const log = known.get(agent.path) ?? readUpTo(agent, isOld ? stats.size : 0);
    known.set(agent.path, log);
    log.writtenAtMs = stats.mtimeMs;
    // One that was cut is another log: nothing in it is news.
    if (stats.size < log.offset) known.set(agent.path, readUpTo(agent, stats.size));
    if (stats.size <= log.offset) return [];
    const records = readRecords(root, agent.path, log, isNews ? MAX_BYTES : FIRST_BYTES);
    return callsIn(records, agent, log, isNews);
  } catch (error) {
    // Gone, or not to be read: what it says is missing from what is told, and nothing else.
    if (isViewerError(error) || faultCode(error) !== null) return [];
    throw error;
  }
}

/** The whole lines behind what was read, of the last `maxBytes`. */
function readRecords(root: string, path: string, log: ReadUpTo, maxBytes: number): SessionRecord[] {
  const file = openConfinedSync(root, path);
  try {
    const { size } = file.stat();
    const from = Math.max(log.offset, size - maxBytes);
    const bytes = readRangeSync(file, from, size);
    // Where a part was left out, the first line may be half a one.
    const start = from > log.offset ? bytes.indexOf(NEWLINE) + 1 : 0;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const records: SessionRecord[] = [];
    new LineSplitter(from + start).push(bytes.subarray(start, end), (line) => {
      if (line.length > 0) records.push(...parseLine(line, { keepBytes: KEEP_BYTES }));
    });
    log.offset = from + end;
    return records;
  } finally {
    file.close();
  }
}

function callsIn(
  records: readonly SessionRecord[],
  { key, agentId }: AgentLog,
  log: ReadUpTo,
  isNews: boolean,
): LiveCall[] {
  const { open } = log;
  const told: LiveCall[] = [];
  const tell = ({ name, subject, text, offset }: SeenCall, of: Pick<LiveCall, "failed" | "isNew">) =>
    told.push({ recordId: formatRecordId(key, offset), agentId, name, subject, text, ...of });
  for (const record of records) {
    if (record.kind !== "unreadable" && record.atMs !== null)
      log.lineAtMs = Math.max(log.lineAtMs ?? record.atMs, record.atMs);
    if (record.kind === "assistant")
      for (const call of callsOf(record)) {
        open.set(call.id, { call, isNews });
        if (isNews) tell(call, { failed: false, isNew: true });
      }
    if (record.kind !== "user") continue;
    for (const { id, failed } of resultsOf(record)) {
      const begun = open.get(id);
      open.delete(id);
      if (begun?.isNews && failed) tell(begun.call, { failed: true, isNew: false });
    }
  }
  return told;
}
