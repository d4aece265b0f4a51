import type { SessionId } from "@/lib/wire/ids";
import { type ClientProcess, ClientProcesses } from "./client-processes";
import { steadyNowMs } from "./moment";
import { PROC, processIo, processStat } from "./processes";

/** A client that ends may still write for so long, and what it wrote be noticed. */
const LAST_LINES_MS = 5_000;
/** A log whose newest line is older than this is not being written now. */
const FRESH_MS = 60_000;

/**
 * The client of a session, as its writing tells. `pid`: `null` where it was one of several, which have all ended.
 * `wroteAtMs`: when its last lines were read, by `steadyNowMs`.
 */
export type LogWriter = { pid: number | null; lives: boolean; wroteAtMs: number };

type Known = {
  readTo: number;
  nodeAtMs: number;
  wroteAtMs: number;
  /** Those that may have written the last lines, by their pids, and whether one of them has written as much. */
  writers: ReadonlyMap<number, ClientProcess>;
  isSeen: boolean;
  /** How much each client in the folder had written when the log was looked at. */
  written: ReadonlyMap<number, number>;
  /** Its client writes another session now, or has ended. */
  movedOn: boolean;
  endedAtMs: number | null;
};

/** A log as it was read just now: up to where, when its newest line and that of its conversation were written. */
export type ReadLog = { slug: string; readTo: number; lastAtMs: number | null; lastNodeAtMs: number | null };

/**
 * Which client writes which log, of those that register nothing: one that works in the log's folder, and has itself written
 * at least as much as the log has grown, each time it grew. A client that nobody here can see, as one of another machine or
 * container, is never taken for the writer unless another one wrote as much at the same time.
 */
export class LogWriters {
  readonly #proc: string;
  readonly #clients: ClientProcesses;
  readonly #known = new Map<SessionId, Known>();

  constructor(proc = PROC) {
    this.#proc = proc;
    this.#clients = new ClientProcesses(proc);
  }

  /** Takes note of a log that was read. Returns the sessions whose client has moved on to this one. */
  note(id: SessionId, log: ReadLog, nowMs = Date.now()): SessionId[] {
    if (process.platform !== "linux") return [];
    const known = this.#known.get(id);
    if (known?.readTo === log.readTo) return [];
    const isFresh = nowMs - (log.lastAtMs ?? 0) < FRESH_MS;
    if (!isFresh) this.#known.set(id, { ...UNSEEN, readTo: log.readTo, wroteAtMs: steadyNowMs() });
    else this.#grew(id, log, known && log.readTo > known.readTo ? known : null, nowMs);
    return this.#movedTo(id, known?.nodeAtMs ?? 0);
  }

  /** `null` where it is not certain, as of a client that was not seen writing since the server started. */
  of(id: SessionId): LogWriter | null {
    const known = this.#known.get(id);
    if (!known || !known.isSeen || known.writers.size === 0) return null;
    const { writers, wroteAtMs } = known;
    const [first, other] = writers.values();
    const pid = first && !other ? first.pid : null;
    if (known.movedOn || this.#haveEnded(known)) return { pid, lives: false, wroteAtMs };
    return pid === null ? null : { pid, lives: true, wroteAtMs };
  }

  /** The sessions whose clients have ended since this was asked last. */
  ended(): SessionId[] {
    return [...this.#known].flatMap(([id, known]) => {
      if (!known.isSeen || known.movedOn || known.endedAtMs !== null || !this.#haveEnded(known)) return [];
      this.#known.set(id, { ...known, endedAtMs: Date.now() });
      return [id];
    });
  }

  forget(id: SessionId): void {
    this.#known.delete(id);
  }

  #grew(id: SessionId, log: ReadLog, before: Known | null, nowMs: number): void {
    const base = { readTo: log.readTo, nodeAtMs: log.lastNodeAtMs ?? 0, wroteAtMs: steadyNowMs() };
    const clients = this.#clients.in(log.slug, nowMs);
    if (clients === null) return void this.#known.set(id, { ...UNSEEN, ...base });
    const written = new Map<number, number>();
    for (const { pid } of clients) {
      const bytes = processIo(pid, this.#proc)?.bytesWritten;
      if (bytes !== undefined) written.set(pid, bytes);
    }
    const grown = before ? log.readTo - before.readTo : 0;
    const hasWritten = ({ pid }: ClientProcess) => {
      const since = before?.written.get(pid);
      const now = written.get(pid);
      return since === undefined || now === undefined ? null : now - since >= grown;
    };
    const possible = clients.filter((client) => hasWritten(client) !== false);
    // Its last lines, or those of one that nobody here sees.
    if (possible.length === 0 && before && this.#hasJustEnded(before, nowMs))
      return void this.#known.set(id, { ...before, ...base });
    const same = possible.filter(
      ({ pid, startTicks }) => before?.writers.get(pid)?.startTicks === startTicks,
    );
    const writers = same.length > 0 ? same : possible;
    this.#known.set(id, {
      ...UNSEEN,
      ...base,
      written,
      writers: new Map(writers.map((client) => [client.pid, client])),
      isSeen: writers.length > 0 && writers.every((client) => hasWritten(client) === true),
    });
  }

  /** A client has one session at a time: what it wrote before is over. */
  #movedTo(id: SessionId, nodeBeforeMs: number): SessionId[] {
    const now = this.#known.get(id);
    const pid = this.of(id)?.pid ?? null;
    if (!now || pid === null || now.nodeAtMs <= nodeBeforeMs) return [];
    return [...this.#known].flatMap(([other, known]) => {
      if (other === id || known.movedOn || known.nodeAtMs > now.nodeAtMs) return [];
      const isSame = known.writers.get(pid)?.startTicks === now.writers.get(pid)?.startTicks;
      if (known.writers.size !== 1 || !known.isSeen || !isSame) return [];
      this.#known.set(other, { ...known, movedOn: true });
      return [other];
    });
  }

  #hasJustEnded(known: Known, nowMs: number): boolean {
    return this.#haveEnded(known) && nowMs - (known.endedAtMs ?? nowMs) < LAST_LINES_MS;
  }

  #haveEnded({ writers, endedAtMs }: Known): boolean {
    if (endedAtMs !== null) return true;
    return [...writers.values()].every(
      ({ pid, startTicks }) => processStat(pid, this.#proc)?.startTicks !== startTicks,
    );
  }
}

const UNSEEN: Known = {
  readTo: 0,
  nodeAtMs: 0,
  wroteAtMs: 0,
  writers: new Map(),
  isSeen: false,
  written: new Map(),
  movedOn: false,
  endedAtMs: null,
};
