import { faultCode } from "@/lib/server/disk/file-fault";
import { statOf } from "@/lib/server/disk/kept-files";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { formatRecordId, MAIN_LOG_KEY, type SessionId } from "@/lib/wire/ids";
import type { LiveCall } from "@/lib/wire/live";
import { AgentCalls, type AskingAgent } from "./told/agent-calls";
import { type ClockReading, readClocks } from "./told/clock-reading";
import { LogTail, readLastTime } from "./told/log-tail";
import type { SeenCall, TailFacts } from "./told/tail-facts";

/** Maximum number of agents that run at the same time. */
const MAX_AGENTS = 16;
/** What is known of a log's end takes 70 KB and more. Of so many sessions at rest it is kept, of those written last. */
const MAX_AT_REST = 12;

/** `agents`: when the newest file of an agent changed, and when its last line was written. `readAt`: when all was read. */
export type LogEnd = { facts: TailFacts; agents: AgentsTime; readAt: ClockReading };
type AgentsTime = { mtimeMs: number; lineAtMs: number | null };

/**
 * What was read. `readTo`: up to where in its log, line by line; `toldTo`: with a last line that has no end yet. `calls`:
 * those that were begun, or have failed, since it was read before.
 */
type ReadEnd = { end: LogEnd; readTo: number; toldTo: number; calls: LiveCall[] };

/**
 * What the ends of sessions' logs say, their agents' too. Each is read on from where it was read last. It is kept of
 * sessions that may change without being written to, and of a few at rest.
 */
export class LogEnds {
  readonly #ends = new Map<SessionId, LogEnd>();
  readonly #tails = new Map<SessionId, LogTail>();
  readonly #agentCalls = new AgentCalls();
  /** The sessions at rest, the one written last at the end. */
  readonly #atRest = new Set<SessionId>();

  /** As it was read last; `undefined` where it was not, or is not kept. */
  get(id: SessionId): LogEnd | undefined {
    return this.#ends.get(id);
  }

  /** All that are kept. */
  entries(): IterableIterator<[SessionId, LogEnd]> {
    return this.#ends.entries();
  }

  /** The sessions whose ends are kept. */
  ids(): IterableIterator<SessionId> {
    return this.#ends.keys();
  }

  /** The agents of a session that may be asking their person something, as of the last reading. */
  asking(id: SessionId): AskingAgent[] {
    return this.#agentCalls.asking(id);
  }

  /**
   * Reads on in a session's logs. Throws what `openConfinedSync` throws of its main log; an agent's may be missing.
   * @param toldBefore up to where calls were told; `null` for a session of which nothing was, and nothing is told now
   */
  async read(files: SessionFiles, toldBefore: number | null): Promise<ReadEnd> {
    const { id, root, main } = files;
    const before = this.#ends.get(id);
    const tail = this.#tails.get(id) ?? new LogTail();
    this.#tails.set(id, tail);
    // If a session's log is gone, its agents' logs are used.
    const log = main.gone ? newestAgentNow(files) : main;
    const facts = await tail.read(root, (log ?? main).path);
    const agentCalls = this.#agentCalls.take(files);
    const agents = await this.#agentsTime(files, before?.agents);
    const end = { facts, agents, readAt: readClocks() };
    this.#ends.set(id, end);
    const toldTo = Math.max(tail.readTo, (facts.calls.at(-1)?.offset ?? -1) + 1);
    const told = toldBefore === null ? [] : newCalls(before?.facts.calls ?? [], facts.calls, toldBefore);
    return { end, readTo: tail.readTo, toldTo, calls: [...told, ...agentCalls] };
  }

  /** It may change without being written to: its end is kept until it rests. */
  keep(id: SessionId): void {
    this.#atRest.delete(id);
  }

  /** Its end may be forgotten. The session whose is, for as many are kept as may be; `null` where none is. */
  rest(id: SessionId): SessionId | null {
    this.#atRest.delete(id);
    this.#atRest.add(id);
    const [oldest] = this.#atRest;
    if (oldest === undefined || this.#atRest.size <= MAX_AT_REST) return null;
    this.forget(oldest);
    return oldest;
  }

  /** The next time it is read from its end again. */
  forget(id: SessionId): void {
    this.#atRest.delete(id);
    this.#ends.delete(id);
    this.#tails.delete(id);
    this.#agentCalls.forget(id);
  }

  /**
   * A copied file has the time of the copy, so the time of its last line counts.
   * @param before not looked for again if nothing was written since
   */
  async #agentsTime(files: SessionFiles, before: AgentsTime | undefined): Promise<AgentsTime> {
    const newest = newestAgentNow(files);
    if (!newest) return { mtimeMs: 0, lineAtMs: null };
    const { path, mtimeMs } = newest;
    if (before?.mtimeMs === mtimeMs) return before;
    const lineAtMs = this.#agentCalls.lineAtMs(files.id, path);
    if (lineAtMs !== null) return { mtimeMs, lineAtMs };
    try {
      return { mtimeMs, lineAtMs: await readLastTime(files.root, path) };
    } catch (error) {
      if (!isViewerError(error)) throw error;
      return { mtimeMs, lineAtMs: null }; // the agent's file is gone, its session is not
    }
  }
}

/**
 * What is told of calls that were not there, or had not failed, before. A log that was cut tells nothing of old ones.
 * @param toldTo up to where the log had been read before
 */
function newCalls(before: readonly SeenCall[], now: readonly SeenCall[], toldTo: number): LiveCall[] {
  const known = new Map(before.map((call) => [call.id, call]));
  return now.flatMap(({ id, name, subject, offset, text, failed }) => {
    const was = known.get(id);
    if (was ? was.failed || !failed : offset < toldTo) return [];
    const recordId = formatRecordId(MAIN_LOG_KEY, offset);
    return [{ recordId, agentId: null, name, subject, text, failed, isNew: !was }];
  });
}

/** The listing is seconds old: of the agents written last according to it, the one written last now. */
function newestAgentNow({ agents }: SessionFiles): { path: string; mtimeMs: number } | null {
  const recent = [...agents].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_AGENTS);
  const found = recent.map(({ path, mtimeMs }) => {
    return { path, mtimeMs: timeOf(path) ?? mtimeMs };
  });
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs)[0] ?? null;
}

/** Null for a file that is gone or cannot be accessed. */
function timeOf(path: string): number | null {
  try {
    return statOf(path)?.mtimeMs ?? null;
  } catch (error) {
    if (faultCode(error) !== null) return null;
    throw error;
  }
}
