import { addRecord } from "@/lib/log/adding/add-record";
import { notePreviousValues, type PreviousValues } from "@/lib/log/adding/previous-values";
import { KEPT_BYTES } from "@/lib/log/adding/text-prefix";
import { IncrementalGraph } from "@/lib/log/graph/incremental-graph";
import { buildGraph, type SessionGraph } from "@/lib/log/graph/session-graph";
import { callNamed } from "@/lib/log/graph/threads";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/log/records/parse-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import type { SessionTable } from "@/lib/log/table/session-table";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { type FileStats, statOf } from "@/lib/server/disk/kept-files";
import type { OpenFile } from "@/lib/server/disk/open-file";
import type { AgentLog, LogFile, SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { continuedMarks, endsOpen, identify, isContinued } from "@/lib/server/scan/file-identity";
import { type AgentMeta, placeFiles, readAgentMeta } from "@/lib/server/scan/place-files";
import { logOf } from "@/lib/server/scan/scan-request";
import type { StoredFile } from "@/lib/server/scan/stored-session";
import { nextRevision, OpenSession } from "./open-session";

/** More appended bytes than this are read one after another, and requests get their turn between them. */
const MAX_BYTES = 1 << 20;
/** More than this is read by a worker thread, and with it all that was read before. */
const MAX_BEHIND_BYTES = 16 << 20;
/**
 * It is "behind" at most this often before it has read everything that was there at first: two steps are at least a
 * megabyte.
 */
export const MAX_STEPS = (2 * MAX_BEHIND_BYTES) / MAX_BYTES;
/** A graph of more records is rebuilt by a worker thread: this many take some 30 ms. */
const MAX_RECORDS = 20_000;

const GONE = "gone";

/** The result of reading on; `behind`: there is more to read at once. */
export type Growth = "current" | "behind" | "lost";

/** The state of a file at the last check, and how far it has been read. */
type Followed = { log: LogFile; seen: string; stored: StoredFile; meta: AgentMeta | null };

/**
 * An open session that keeps reading its files as they grow. Appended lines are read on the server's main
 * thread into the existing table: nothing proportional to the session's size is read, copied or rebuilt.
 */
export class IncrementalSession {
  #session: OpenSession;
  #table: SessionTable;
  #graph: IncrementalGraph | null = null;
  readonly #read: Map<string, StoredFile>;
  /** By the files' numbers; the main log is 0. */
  #files: Followed[] = [];

  /** @param read how far its logs are read, which the session has too: it is kept true as they are read on */
  constructor(session: OpenSession, read: Map<string, StoredFile>) {
    this.#session = session;
    this.#table = session.table;
    this.#read = read;
    const { main, agents } = session.files;
    this.#files = [main, ...agents].map((log, file) => ({
      log,
      seen: file === 0 && main.gone ? GONE : "",
      stored: read.get(log.key) ?? unread(log),
      meta: file === 0 ? null : { meta: session.logs[file]?.meta ?? null, mark: "?" },
    }));
  }

  get session(): OpenSession {
    return this.#session;
  }

  /**
   * Reads what has been appended, a megabyte of it at most. "current": `session` is the content of the files. "lost":
   * files are gone, truncated or replaced, or there is too much for this thread; the session must be scanned, and this
   * object must not be used any more.
   */
  grow(listed: SessionFiles): Growth {
    const files = this.#follow(listed);
    if (!files) return "lost";
    const changed = files.filter(({ log, seen }) => seen !== markOf(statOf(log.path)));
    const metas = this.#readMetas(files);
    if (changed.length === 0 && !metas && files.length === this.#files.length) return "current";
    const readBytes = this.#files.reduce((sum, { stored }) => sum + stored.bytes, 0);
    const read = readAll(this.#session.files.root, changed, readBytes);
    if (!read) return "lost";
    const { appended, isAll } = read;
    this.#files = files;
    for (const { stored } of appended.keys()) this.#read.set(stored.key, stored);
    // It records the table's values, so it must be made before anything is added.
    this.#graph ??= new IncrementalGraph(this.#table, this.#session.logs, this.#session.graph);
    const before: PreviousValues = { calls: new Map(), tokens: new Map() };
    const notices = this.#table.notices.length;
    for (const [file, { lines }] of appended)
      for (const line of lines) this.#add(files.indexOf(file), line, before);
    const lines = [...appended.values()].reduce((sum, one) => sum + one.lines.length, 0);
    const isSame = lines === 0 && !metas && files.length === this.#session.logs.length;
    const renamed = metas || files.length > this.#session.logs.length;
    if (!isSame && !this.#take(listed, renamed, before, notices)) return "lost";
    return isAll ? "current" : "behind";
  }

  /** The files by number, new ones last; null when one is no longer listed. */
  #follow({ main, agents }: SessionFiles): Followed[] | null {
    // A log that reappears starts again.
    if (main.gone !== this.#session.files.main.gone || (main.gone && statOf(main.path))) return null;
    const listed = new Map<string, LogFile | AgentLog>([main, ...agents].map((log) => [log.path, log]));
    const files: Followed[] = [];
    for (const followed of this.#files) {
      const log = listed.get(followed.log.path);
      if (log?.key !== followed.log.key) return null;
      listed.delete(log.path);
      // An agent's meta file may be written after its first line.
      if ("metaPath" in log) followed.log = Object.assign({}, followed.log, { metaPath: log.metaPath });
      files.push(followed);
    }
    for (const log of listed.values())
      files.push({ log, seen: "", stored: unread(log), meta: { meta: null, mark: "?" } });
    return files;
  }

  /** True when a meta file has changed. */
  #readMetas(files: readonly Followed[]): boolean {
    let changed = false;
    for (const file of files) {
      if (!file.meta || !("metaPath" in file.log)) continue;
      const now = readAgentMeta((file.log as AgentLog).metaPath, file.meta);
      changed ||= JSON.stringify(now.meta) !== JSON.stringify(file.meta.meta);
      file.meta = now;
    }
    return changed;
  }

  #add(file: number, line: Appended["lines"][number], before: PreviousValues): void {
    const whole = () => parseRecord(line);
    for (const record of parseLine(line, { keepBytes: KEPT_BYTES })) {
      notePreviousValues(this.#table, file, record, before);
      addRecord(this.#table, file, record, whole);
    }
  }

  #take(listed: SessionFiles, renamed: boolean, before: PreviousValues, notices: number): boolean {
    const { logs: known, graph } = this.#session;
    const logs = renamed ? this.#files.map(({ log, meta }) => logOf(log, meta?.meta ?? null)) : known;
    const growth = this.#graph?.grow(logs);
    if (!growth) return this.#rebuild(listed);
    const files = { ...listed, agents: this.#files.slice(1).map(({ log }) => log as AgentLog) };
    const calls = new Set([
      ...before.calls.keys(),
      ...callsOfAgents(growth.graph, graph.parents.length),
      ...this.#table.notices.slice(notices).flatMap(({ toolUseId }) => endedCall(this.#table, toolUseId)),
    ]);
    this.#session = this.#session.grown(files, logs, growth, before, calls);
    return true;
  }

  /** Puts the records in order and rebuilds their graph. */
  #rebuild(listed: SessionFiles): boolean {
    if (this.#table.records.size > MAX_RECORDS) return false;
    const order = [listed.main, ...listed.agents].map(({ path }) => path);
    this.#table = placeFiles(
      this.#table,
      this.#files.map(({ log }) => order.indexOf(log.path)),
    );
    this.#files.sort((a, b) => order.indexOf(a.log.path) - order.indexOf(b.log.path));
    const logs = this.#files.map(({ log, meta }) => logOf(log, meta?.meta ?? null));
    this.#graph = null;
    const skeleton = { table: this.#table, graph: buildGraph(this.#table, logs), read: this.#read };
    this.#session = new OpenSession(listed, logs, skeleton, nextRevision(this.#session));
    return true;
  }
}

/** The calls of agents that have written records from this one on. */
function callsOfAgents({ threads, threadOf }: SessionGraph, records: number): Set<number> {
  const calls = new Set<number>();
  for (const thread of new Set(threadOf.subarray(records))) {
    const agent = threads[thread];
    for (const call of agent ? [agent.call, ...agent.resumes] : []) calls.add(call);
  }
  calls.delete(-1);
  return calls;
}

/** The call that a notification reports as ended: its row shows how long it took. */
function endedCall(table: SessionTable, toolUseId: string | null): number[] {
  const call = callNamed(table, toolUseId);
  return call === -1 ? [] : [call];
}

/**
 * The appended lines of the changed files, some MAX_BYTES of them; null where they are too much for this thread.
 * @param readBytes how much of the session was read so far: a worker thread would read that again
 */
function readAll(
  root: string,
  changed: readonly Followed[],
  readBytes: number,
): { appended: Map<Followed, Appended>; isAll: boolean } | null {
  const appended = new Map<Followed, Appended>();
  const stats = changed.map(({ log }) => statOf(log.path));
  const bytes = changed.reduce((sum, { stored }, at) => sum + (stats[at]?.size ?? 0) - stored.bytes, 0);
  if (bytes > Math.max(MAX_BYTES, Math.min(MAX_BEHIND_BYTES, readBytes))) return null;
  let read = 0;
  for (const [at, file] of changed.entries()) {
    const stat = stats[at];
    if (!stat || stat.size < file.stored.bytes) return null;
    if (read >= MAX_BYTES) return { appended, isAll: false };
    const found = readOn(root, file);
    if (!found) return null;
    appended.set(file, found);
    read += found.file.bytes - file.stored.bytes;
    file.stored = found.file;
    file.log = { ...file.log, bytes: stat.size, mtimeMs: stat.mtimeMs };
    if (found.isCut) return { appended, isAll: false };
    file.seen = markOf(stat);
  }
  return { appended, isAll: true };
}

function readOn(root: string, { stored }: Followed): Appended | null {
  try {
    return readAppended(root, stored);
  } catch (error) {
    if (isViewerError(error)) return null; // the scan will say what is wrong
    throw error;
  }
}

function markOf(stat: FileStats | null): string {
  return stat ? `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}` : GONE;
}

function unread({ path, key, ino, dev, ...log }: LogFile | AgentLog): StoredFile {
  const agentId = "agentId" in log ? log.agentId : null;
  return { path, key, agentId, dev, ino, size: 0, bytes: 0, nextLine: 1, head: "", tail: "" };
}

/**
 * The lines after what was read of a file, and how far it has been read with them: see `StoredFile`. `isCut`: more
 * follow.
 */
type Appended = { lines: RawLine[]; file: StoredFile; isCut: boolean };

/**
 * Continues reading a log. Synchronous: usually some kilobytes of a file in the system's cache.
 * @returns null when the file is not the one read before with more at its end, or has a line longer than MAX_BYTES.
 * Throws what `openConfinedSync` throws.
 */
function readAppended(root: string, stored: StoredFile): Appended | null {
  const file = openConfinedSync(root, stored.path);
  try {
    const marks = stored.bytes > 0 ? continuedMarks(stored, file) : undefined;
    if (marks === null) return null;
    const openEnd = marks && endsOpen(marks) ? stored.bytes : -1;
    const lines: RawLine[] = [];
    const splitter = new LineSplitter(stored.bytes, stored.nextLine);
    const read = readFrom(file, stored.bytes);
    splitter.push(read, (line) => {
      if (line.offset !== openEnd) lines.push(line);
    });
    const { consumed, nextLine } = splitter;
    const isCut = read.length === MAX_BYTES;
    if (isCut && consumed === stored.bytes) return null;
    const rest = isCut ? null : splitter.rest();
    const last = rest && beginsWithRecord(rest) ? rest : null;
    if (last) lines.push(last);
    const bytes = consumed + (last?.length ?? 0);
    const after = { ...stored, ...identify(file, bytes), bytes, nextLine };
    // Rewritten while it was read, what was read is no part of it.
    if (stored.bytes > 0 && !isContinued(stored, file)) return null;
    return { lines, file: after, isCut };
  } finally {
    file.close();
  }
}

const CHUNK_BYTES = 64 << 10;

/** Reused for every read: whatever is kept of it must be copied. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** MAX_BYTES of a file at most. */
function readFrom(file: OpenFile, from: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = from; at < from + MAX_BYTES; ) {
    const read = file.read(chunk, 0, Math.min(CHUNK_BYTES, from + MAX_BYTES - at), at);
    if (read === 0) break;
    chunks.push(new Uint8Array(chunk.subarray(0, read)));
    at += read;
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}
