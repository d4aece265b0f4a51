import { putLatest } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";
import { type ClientProcess, ClientProcesses } from "./client-processes";
import { steadyNowMs } from "./clock-reading";
import type { KeptWriter, KeptWriters } from "./kept-writers";
import { PROC, processIo, processStat } from "./processes";

/** A client that ends may still write for so long, and what it wrote be noticed. */
const LAST_LINES_MS = 5_000;
/** A log whose newest line is older than this is not being written now. */
const FRESH_MS = 60_000;
/** Two logs that grow by turns are not one client's: nobody goes back and forth so often in so short a time. */
const MAX_MOVES = 2;
const MOVES_MS = 60_000;
/** For so long nothing is told of a client that was taken for the writer of two logs at once. */
const DOUBT_MS = 10 * 60_000;
const MAX_CLIENTS = 64;
/** A log is read some tenths of a second after it was made (2.0.76), and clients may be looked at in between. */
const MAX_LOOKS = 5;

/**
 * The client of a session, as its writing tells. `pid`: `null` where it was one of several, which have all ended.
 * `wroteAtMs`: when its last lines were read, by `steadyNowMs`.
 */
export type LogWriter = { pid: number | null; lives: boolean; wroteAtMs: number };

type Known = {
  slug: string;
  readTo: number;
  nodeAtMs: number;
  wroteAtMs: number;
  /** Those that may have written the last lines, by their pids, and whether one of them has written as much. */
  writers: ReadonlyMap<number, ClientProcess>;
  isSeen: boolean;
  /** An earlier run has seen it, and nothing was written since. */
  isKept: boolean;
  /** How much each client in the folder had written when the log was looked at. */
  written: ReadonlyMap<number, number>;
  /** In the middle of a turn, which a client does not leave without a line that says so. */
  isMidway: boolean;
  /** Its client writes another session now, or has ended. */
  movedOn: boolean;
  endedAtMs: number | null;
};

/**
 * A log as it was read just now: up to where, when its newest line and that of its conversation were written, and whether
 * that is the middle of a turn. `madeAtMs`: asked for of a new one, when its file was made, `null` where that is not known.
 */
export type ReadLog = {
  slug: string;
  readTo: number;
  lastAtMs: number | null;
  lastNodeAtMs: number | null;
  isMidway: boolean;
  madeAtMs: () => number | null;
};

/** What a client had written by some time. */
type Written = { startTicks: string; bytes: number };
/** When a client was seen to go from one log to another, and until when nothing of that is believed. */
type Moves = { atMs: number[]; doubtedToMs: number };

/**
 * Which client writes which log, of those that register nothing: one that works in the log's folder, and has itself written
 * at least as much as the log has grown, each time it grew. A client that nobody here can see, as one of another machine or
 * container, is never taken for the writer unless another one wrote as much at the same time. Who seems to write two logs by
 * turns, or one while another is in the middle of a turn, is for one of them taken for such a client: nothing is told then.
 */
export class LogWriters {
  readonly #proc: string;
  readonly #clients: ClientProcesses;
  readonly #known = new Map<SessionId, Known>();
  /** By pid and start. */
  readonly #moves = new Map<string, Moves>();
  /** What an earlier run knew of sessions that were not looked at yet. */
  #kept = new Map<SessionId, KeptWriter>();
  #keptAtMs = 0;
  #hasChanged = false;
  #takenOverAtMs = 0;
  /** Of all clients, by their pids, when they were looked at, the latest last. */
  #looks: { atMs: number; written: ReadonlyMap<number, Written> }[] = [];

  constructor(proc = PROC) {
    this.#proc = proc;
    this.#clients = new ClientProcesses(proc);
  }

  /**
   * Looks at what the clients here have written, also those of which no log is known: so what is written first in a new log
   * can be compared. It lists the processes, and reads a small file for each client.
   */
  look(nowMs = Date.now()): void {
    const written = new Map<number, Written>();
    for (const { pid, startTicks } of this.#clients.all(nowMs)) {
      const bytes = processIo(pid, this.#proc)?.bytesWritten;
      if (bytes !== undefined) written.set(pid, { startTicks, bytes });
    }
    this.#looks = [...this.#looks, { atMs: nowMs, written }].slice(-MAX_LOOKS);
  }

  /** Takes note of a log that was read. Returns the sessions of whose clients something else is known with that. */
  note(id: SessionId, log: ReadLog, nowMs = Date.now()): SessionId[] {
    if (process.platform !== "linux") return [];
    const known = this.#known.get(id);
    if (known?.readTo === log.readTo) return [];
    this.#hasChanged = true;
    const kept = known ? null : this.#kept.get(id);
    if (kept && this.#isStill(id, kept, log, nowMs)) return [];
    const left = known || kept ? [] : this.#doubtKept(log);
    const isFresh = nowMs - (log.lastAtMs ?? 0) < FRESH_MS;
    if (!isFresh)
      this.#known.set(id, { ...UNSEEN, slug: log.slug, readTo: log.readTo, wroteAtMs: steadyNowMs() });
    else this.#grew(id, log, known && log.readTo > known.readTo ? known : null, nowMs);
    return [...left, ...this.#movedTo(id, known?.nodeAtMs ?? 0, nowMs)];
  }

  /** `null` where it is not certain, as of a client that was not seen writing since the server started. */
  of(id: SessionId): LogWriter | null {
    const known = this.#known.get(id);
    if (!known || !known.isSeen || known.writers.size === 0 || this.#isDoubted(known)) return null;
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

  /** Takes over what an earlier run knew: a session's writer is known then when its log is looked at first. */
  takeOver({ atMs, writers }: KeptWriters, nowMs = Date.now()): void {
    this.#kept = new Map(writers);
    this.#keptAtMs = atMs;
    this.#takenOverAtMs = nowMs;
  }

  /** Whether what the next run may take over has changed since this was asked last. */
  hasChanged(): boolean {
    const changed = this.#hasChanged;
    this.#hasChanged = false;
    return changed;
  }

  /** What the next run may take over: the clients that are there. */
  kept(): ReadonlyMap<SessionId, KeptWriter> {
    const kept = [...this.#known].flatMap(([id, known]) => {
      const writer = writerOf(known);
      const bytesWritten = writer && known.written.get(writer.pid);
      if (!writer || bytesWritten === undefined || bytesWritten === null) return [];
      if (known.movedOn || this.#haveEnded(known) || this.#isDoubted(known)) return [];
      const { slug, readTo } = known;
      const { pid, startTicks } = writer;
      return [[id, { pid, startTicks, slug, readTo, bytesWritten }] as const];
    });
    return new Map(kept);
  }

  /**
   * Whether the client that an earlier run has seen writing this log still may be the one: it has written as much as the log
   * has grown since. One that has ended since is, if nobody has written the log.
   */
  #isStill(id: SessionId, kept: KeptWriter, log: ReadLog, nowMs: number): boolean {
    this.#kept.delete(id);
    const { pid, startTicks, bytesWritten } = kept;
    const grown = log.readTo - kept.readTo;
    const lives = processStat(pid, this.#proc)?.startTicks === startTicks;
    const bytes = lives ? processIo(pid, this.#proc)?.bytesWritten : bytesWritten;
    if (bytes === undefined || grown < 0 || bytes - bytesWritten < grown) return false;
    const isIn = this.#clients.in(log.slug, nowMs)?.some((client) => client.pid === pid) ?? false;
    if (lives && !isIn) return false;
    this.#known.set(id, {
      ...UNSEEN,
      slug: log.slug,
      readTo: log.readTo,
      nodeAtMs: log.lastNodeAtMs ?? 0,
      wroteAtMs: steadyNowMs(),
      isMidway: log.isMidway,
      written: new Map([[pid, bytes]]),
      writers: new Map([[pid, { pid, startTicks }]]),
      isSeen: true,
      isKept: grown === 0,
    });
    return true;
  }

  /** Another log of the folder was written in between: by one of its clients, of which what was kept says nothing then. */
  #doubtKept(log: ReadLog): SessionId[] {
    if (this.#keptAtMs === 0 || (log.lastAtMs ?? 0) <= this.#keptAtMs) return [];
    if ((log.madeAtMs() ?? 0) > this.#takenOverAtMs) return [];
    for (const [id, { slug }] of this.#kept) if (slug === log.slug) this.#kept.delete(id);
    return [...this.#known].flatMap(([id, known]) => {
      if (known.slug !== log.slug || !known.isKept) return [];
      this.#known.set(id, { ...known, isSeen: false, isKept: false });
      return [id];
    });
  }

  #grew(id: SessionId, log: ReadLog, before: Known | null, nowMs: number): void {
    const base = {
      slug: log.slug,
      readTo: log.readTo,
      nodeAtMs: log.lastNodeAtMs ?? 0,
      wroteAtMs: steadyNowMs(),
      isMidway: log.isMidway,
    };
    const clients = this.#clients.in(log.slug, nowMs);
    if (clients === null) return void this.#known.set(id, { ...UNSEEN, ...base });
    const written = new Map<number, number>();
    for (const { pid } of clients) {
      const bytes = processIo(pid, this.#proc)?.bytesWritten;
      if (bytes !== undefined) written.set(pid, bytes);
    }
    const isNew = before === null && !this.#known.has(id);
    const looked = isNew ? this.#lookedBefore(log.madeAtMs()) : null;
    const grown = before ? log.readTo - before.readTo : log.readTo;
    const hasWritten = ({ pid, startTicks }: ClientProcess) => {
      const seen = looked?.get(pid);
      const since = seen?.startTicks === startTicks ? seen.bytes : before?.written.get(pid);
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

  /** What clients had written before a log was made. */
  #lookedBefore(madeAtMs: number | null): ReadonlyMap<number, Written> | null {
    return this.#looks.findLast(({ atMs }) => atMs < (madeAtMs ?? 0))?.written ?? null;
  }

  /** A client has one session at a time: what it wrote before is over, unless it cannot have left that. */
  #movedTo(id: SessionId, nodeBeforeMs: number, nowMs: number): SessionId[] {
    const now = this.#known.get(id);
    const client = now && writerOf(now);
    if (!now || !client || now.nodeAtMs <= nodeBeforeMs) return [];
    const all = [...this.#known].filter(([other, known]) => {
      const writer = writerOf(known);
      return other !== id && writer?.pid === client.pid && writer.startTicks === client.startTicks;
    });
    const left = all.filter(([, known]) => !known.movedOn && known.nodeAtMs <= now.nodeAtMs);
    if (left.length === 0) return [];
    const moves = this.#movesOf(client);
    moves.atMs = [...moves.atMs.filter((atMs) => nowMs - atMs < MOVES_MS), nowMs];
    if (moves.atMs.length > MAX_MOVES || left.some(([, known]) => known.isMidway))
      moves.doubtedToMs = nowMs + DOUBT_MS;
    const isDoubted = nowMs < moves.doubtedToMs;
    const changed = isDoubted ? all : left;
    for (const [other, known] of changed) this.#known.set(other, { ...known, movedOn: !isDoubted });
    if (isDoubted) this.#known.set(id, { ...now, movedOn: false });
    return changed.map(([other]) => other);
  }

  #movesOf({ pid, startTicks }: ClientProcess): Moves {
    const key = `${pid} ${startTicks}`;
    const moves = this.#moves.get(key) ?? { atMs: [], doubtedToMs: 0 };
    putLatest(this.#moves, key, moves, MAX_CLIENTS);
    return moves;
  }

  #isDoubted({ writers }: Known, nowMs = Date.now()): boolean {
    return [...writers.values()].some(({ pid, startTicks }) => {
      return nowMs < (this.#moves.get(`${pid} ${startTicks}`)?.doubtedToMs ?? 0);
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

/** The one client that has written it. */
function writerOf({ writers, isSeen }: Known): ClientProcess | null {
  const [client] = writers.values();
  return isSeen && writers.size === 1 && client ? client : null;
}

const UNSEEN: Known = {
  slug: "",
  readTo: 0,
  nodeAtMs: 0,
  wroteAtMs: 0,
  writers: new Map(),
  isSeen: false,
  isKept: false,
  written: new Map(),
  isMidway: false,
  movedOn: false,
  endedAtMs: null,
};
