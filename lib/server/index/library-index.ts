import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import { bytesOf, type SessionFiles } from "@/lib/server/library/session-files";
import { isThreadNotStarted } from "@/lib/server/runtime/thread-starts";
import type { ViewerError } from "@/lib/server/runtime/viewer-error";
import { buffersIn, toLeastBusy, WorkerThread } from "@/lib/server/runtime/worker-thread";
import { scanRequest } from "@/lib/server/scan/scan-request";
import type { StoredEntry, StoredFile } from "@/lib/server/scan/stored-session";
import type { Warning } from "@/lib/wire/library";
import { fileIdOf, logIdOf, removedWarning } from "./index-file";
import { type IndexedSession, type NewSession, readNewSession } from "./index-session";
import { type IndexAnswer, type IndexTask, IndexWorker, type ToVerify } from "./index-task";
import type { IndexState } from "./open-index";
import type { ReadTask } from "./read.worker";
import type { StoredShare } from "./share-store";

type Threads = {
  /**
   * The one that holds the index and writes it. Where it cannot be started a task waits until it can be; one with `moved`,
   * which goes to it without a copy, is rejected, since that is gone then.
   */
  ask: (task: IndexTask, moved?: ArrayBuffer[]) => Promise<IndexAnswer>;
  /** Others that read for it what it does not know. `bytes`: of all the session's logs; `onRead`: how many were read. */
  read: ((task: ReadTask, bytes: number, onRead: (bytesDone: number) => void) => Promise<NewSession>) | null;
  /** Why the one that holds the index could not be started when it was tried last. */
  startFault(): ViewerError | null;
  stop(): void;
  /** Resolves when what was stopped writes nothing any more. */
  ended(): Promise<unknown>;
};

/** When everything is read, a thread's memory is worth more than a quick start of the next task. */
const SHORT_REST_MS = 500;
/** After a line or two more are likely to follow, and the tables that they extend are kept. */
const LONG_REST_MS = 30_000;
/** New lines are read in small parts, for as long as the server runs: garbage is collected early. */
const FOLLOWING = { maxYoungGenerationSizeMb: 3 };

/** With three the peak of a gigabyte was 620–690 MB, where 600 is the budget; with two, each with less garbage, 550–570. */
const MAX_READERS = 2;
/** What is read soon becomes garbage. Collecting it so early costs a single reader a twentieth of its time. */
const ONE_OF_MANY = { maxYoungGenerationSizeMb: 16 };

/** The index as the server's own thread sees it. */
export class LibraryIndex {
  readonly #dataDir: string | null;
  readonly #threads: Threads;
  /** Main logs that the index may contain, by path and by inode: only its own thread can continue from there. */
  readonly #known = new Set<string>();
  #state: IndexState = { mode: "none", path: null, warnings: [], epoch: 0, file: null, log: null };
  /** Bytes read of each session that another thread reads, by its main log, until it is saved. */
  readonly #underWay = new Map<string, number>();
  #epochsBefore = 0;
  #epochOfThread = 0;
  /** The last file that was seen, and the warning if another one took its place. */
  #file: string | null = null;
  #removed: Warning[] = [];

  constructor(dataDir: string | null, threads: Threads) {
    this.#dataDir = dataDir;
    this.#threads = threads;
  }

  get state(): IndexState {
    return this.#state;
  }

  /** What readers are told: of the index, and why nothing is read into it. */
  get warnings(): Warning[] {
    const fault = this.#threads.startFault();
    if (!fault) return this.#state.warnings;
    const message = `Nothing new is read into the index: ${fault.message}`;
    return [...this.#state.warnings, { code: "index-waiting", message, hint: fault.hint }];
  }

  /** Bytes that have been read of sessions that are not in the index yet: one of gigabytes takes a minute. */
  get bytesUnderWay(): number {
    let sum = 0;
    for (const bytes of this.#underWay.values()) sum += bytes;
    return sum;
  }

  /** False without a folder for it. */
  get isKept(): boolean {
    return this.#dataDir !== null;
  }

  /** Opens it again where it could not be written. */
  async retry(): Promise<void> {
    await this.#ask({ kind: "retry", dataDir: this.#dataDir });
  }

  /**
   * If its files were removed since it was last used, begins a new one: `state.epoch` increases. Otherwise this only
   * looks once.
   */
  async renewIfRemoved(): Promise<void> {
    const { path, file, log } = this.#state;
    if (path === null) return;
    const isLogGone = log !== null && logIdOf(path) !== log;
    if (isLogGone || fileIdOf(path) !== file) await this.retry();
  }

  /** Everything that the index contains. Empty without one. */
  async open(): Promise<StoredEntry[]> {
    const { entries = [] } = await this.#ask({ kind: "open", dataDir: this.#dataDir });
    for (const { files } of entries) for (const file of files.slice(0, 1)) this.#note(file);
    return entries;
  }

  /** What each session in the index adds to totals over sessions. */
  async shares(): Promise<StoredShare[]> {
    return (await this.#ask({ kind: "shares", dataDir: this.#dataDir })).shares ?? [];
  }

  /**
   * Reads what is new of a session, saves it, and returns what the library shows of it.
   * @param isOneOfMany another thread may read it
   * @param sharedBytes how far its share is known already: the answer's then goes on from there if it can
   * @param onRead its lines were read by another thread, and it is only to be saved
   */
  async index(
    files: SessionFiles,
    isOneOfMany = false,
    sharedBytes: number | null = null,
    onRead: () => void = () => undefined,
  ): Promise<IndexedSession> {
    const { main } = files;
    const { read } = this.#threads;
    const dataDir = this.#dataDir;
    const isNew = !this.#known.has(main.path) && !this.#known.has(`${main.dev}:${main.ino}`);
    const request = await scanRequest(files);
    this.#note(main);
    if (!read || !isNew || !isOneOfMany)
      return this.#indexed({ kind: "index", dataDir, request, sharedBytes });
    const note = (bytesDone: number) => void this.#underWay.set(main.path, bytesDone);
    try {
      const session = await read(
        { request, wantsTexts: this.#state.mode === "writer" },
        bytesOf(files),
        note,
      );
      onRead();
      return await this.#indexed({ kind: "save", dataDir, session, logs: request.logs }, buffersIn(session));
    } catch (error) {
      if (!isThreadNotStarted(error)) throw error;
    } finally {
      this.#underWay.delete(main.path);
    }
    return this.#indexed({ kind: "index", dataDir, request, sharedBytes });
  }

  /** Returns which of these main logs' sessions differ from what was indexed. */
  async verify(sessions: ToVerify[]): Promise<string[]> {
    return (await this.#ask({ kind: "verify", dataDir: this.#dataDir, sessions })).stale ?? [];
  }

  /** Drops the sessions of main logs that no longer exist, or are no sessions any more. */
  async forget(paths: string[], outside: string[]): Promise<void> {
    await this.#ask({ kind: "forget", dataDir: this.#dataDir, paths, outside });
  }

  /** Reads the whole index once; a damaged one is replaced by an empty one, and `state.epoch` goes up. */
  async check(): Promise<void> {
    await this.#ask({ kind: "check", dataDir: this.#dataDir });
  }

  stop(): void {
    this.#threads.stop();
  }

  /** Resolves when what was stopped writes nothing any more. */
  ended(): Promise<unknown> {
    return this.#threads.ended();
  }

  /** Asks the thread that holds the index, and takes over the state that it answers with. */
  async #ask(task: IndexTask, moved?: ArrayBuffer[]): Promise<IndexAnswer> {
    const answer = await this.#threads.ask(task, moved);
    // A restarted thread counts from 0 again.
    if (answer.state.epoch < this.#epochOfThread) {
      this.#epochsBefore += this.#epochOfThread;
      this.#epochOfThread = 0;
    }
    const isOther = answer.state.file !== null && this.#file !== null && answer.state.file !== this.#file;
    if (isOther && answer.state.epoch === this.#epochOfThread) {
      this.#epochsBefore += 1;
      // An index that another process writes is reported by that process.
      if (answer.state.path !== null && answer.state.mode === "writer")
        this.#removed = [removedWarning(answer.state.path)];
    }
    this.#file = answer.state.file ?? this.#file;
    this.#epochOfThread = answer.state.epoch;
    const epoch = this.#epochsBefore + this.#epochOfThread;
    if (epoch !== this.#state.epoch) this.#known.clear();
    this.#state = { ...answer.state, epoch, warnings: [...answer.state.warnings, ...this.#removed] };
    return answer;
  }

  async #indexed(task: IndexTask, moved?: ArrayBuffer[]): Promise<IndexedSession> {
    const answer = await this.#ask(task, moved);
    if (!answer.indexed) throw new Error("The index answered without a session");
    return answer.indexed;
  }

  #note({ path, dev, ino }: Pick<StoredFile, "path" | "dev" | "ino">): void {
    this.#known.add(path);
    this.#known.add(`${dev}:${ino}`);
  }
}

/**
 * The index of a data folder, kept by a thread of its own. With two cores another thread reads the lines for it when
 * there is much to do, and with more, two: reading takes three or four times as long as writing what was read. On two
 * cores a second reader gains nothing (256 MB): both are busy already, and all code is compiled in each thread again.
 * Without a folder everything is read at every start.
 */
export function startLibraryIndex(dataDir: string | null): LibraryIndex {
  let hasReadAll = false;
  let isFirst = true;
  const keeper = new WorkerThread<IndexTask, IndexAnswer, never>(
    () => {
      hasReadAll = false;
      const resourceLimits = isFirst ? {} : FOLLOWING;
      isFirst = false;
      return new Worker(new URL("./index.worker.ts", import.meta.url), {
        resourceLimits,
        workerData: archiveData(),
      });
    },
    // The lock is free for another viewer while there is nothing to write.
    {
      farewell: { kind: "close", dataDir: null },
      idleMs: () => (hasReadAll ? SHORT_REST_MS : LONG_REST_MS),
    },
  );
  const count = Math.min(MAX_READERS, availableParallelism() - 1);
  const readers = Array.from(
    { length: count },
    () =>
      new WorkerThread<ReadTask, NewSession, number>(
        () =>
          new Worker(new URL("./read.worker.ts", import.meta.url), {
            workerData: archiveData(),
            resourceLimits: count > 1 ? ONE_OF_MANY : {},
          }),
        { idleMs: () => SHORT_REST_MS },
      ),
  );
  return new LibraryIndex(dataDir, {
    ask: (task, moved) => {
      // The last task of a start.
      if (task.kind === "check") hasReadAll = true;
      return moved ? keeper.ask(task, undefined, moved) : keeper.askOnceStarted(task);
    },
    read:
      readers.length > 0
        ? toLeastBusy(readers.map((reader) => (task, onRead) => reader.ask(task, onRead)))
        : null,
    startFault: () => keeper.startFault,
    stop: () => {
      for (const thread of [keeper, ...readers]) thread.stop();
    },
    ended: () => Promise.all([keeper, ...readers].map((thread) => thread.ended)),
  });
}

/** The same in this thread, for tests and benchmarks. */
export function openLibraryIndex(dataDir: string | null): LibraryIndex {
  const keeper = new IndexWorker();
  return new LibraryIndex(dataDir, {
    ask: async (task) => keeper.do(task),
    read: async ({ request, wantsTexts }, _bytes, onRead) => readNewSession(request, wantsTexts, onRead),
    startFault: () => null,
    stop: () => keeper.close(),
    ended: async () => undefined,
  });
}
