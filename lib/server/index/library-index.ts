import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import { bytesOf, type SessionFiles } from "@/lib/server/library/session-files";
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

/** The index as the server's own thread sees it. */
export type LibraryIndex = {
  readonly state: IndexState;
  /** False without a folder for it. */
  readonly isKept: boolean;
  /** Opens it again where it could not be written. */
  retry(): Promise<void>;
  /**
   * If its files were removed since it was last used, begins a new one: `state.epoch` increases. Otherwise this only
   * looks once.
   */
  renewIfRemoved(): Promise<void>;
  /** Everything that the index contains. Empty without one. */
  open(): Promise<StoredEntry[]>;
  /** What each session in the index adds to totals over sessions. */
  shares(): Promise<StoredShare[]>;
  /**
   * Reads what is new of a session, saves it, and returns what the library shows of it.
   * @param isOneOfMany another thread may read it
   * @param sharedBytes how far its share is known already: the answer's then goes on from there if it can
   * @param onRead its lines were read by another thread, and it is only to be saved
   */
  index(
    files: SessionFiles,
    isOneOfMany?: boolean,
    sharedBytes?: number | null,
    onRead?: () => void,
  ): Promise<IndexedSession>;
  /** Returns which of these main logs' sessions differ from what was indexed. */
  verify(sessions: ToVerify[]): Promise<string[]>;
  /** Drops the sessions of main logs that no longer exist, or are no sessions any more. */
  forget(paths: string[], outside: string[]): Promise<void>;
  /** Reads the whole index once; a damaged one is replaced by an empty one, and `state.epoch` goes up. */
  check(): Promise<void>;
  stop(): void;
  /** Resolves when what was stopped writes nothing any more. */
  ended(): Promise<unknown>;
};

/** `moved` goes to the thread without a copy. */
type Ask = (task: IndexTask, moved?: ArrayBuffer[]) => Promise<IndexAnswer>;

type Threads = {
  /** The one that holds the index and writes it. */
  ask: Ask;
  /** Others that read for it what it does not know. `bytes`: of all the session's logs. */
  read: ((task: ReadTask, bytes: number) => Promise<NewSession>) | null;
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
      new WorkerThread<ReadTask, NewSession, never>(
        () =>
          new Worker(new URL("./read.worker.ts", import.meta.url), {
            workerData: archiveData(),
            resourceLimits: count > 1 ? ONE_OF_MANY : {},
          }),
        { idleMs: () => SHORT_REST_MS },
      ),
  );
  return libraryIndex(dataDir, {
    ask: (task, moved) => {
      // The last task of a start.
      if (task.kind === "check") hasReadAll = true;
      return keeper.ask(task, undefined, moved);
    },
    read: readers.length > 0 ? toLeastBusy(readers.map((reader) => (task) => reader.ask(task))) : null,
    stop: () => {
      for (const thread of [keeper, ...readers]) thread.stop();
    },
    ended: () => Promise.all([keeper, ...readers].map((thread) => thread.ended)),
  });
}

/** The same in this thread, for tests and benchmarks. */
export function openLibraryIndex(dataDir: string | null): LibraryIndex {
  const keeper = new IndexWorker();
  return libraryIndex(dataDir, {
    ask: async (task) => keeper.do(task),
    read: async ({ request, wantsTexts }) => readNewSession(request, wantsTexts),
    stop: () => keeper.close(),
    ended: async () => undefined,
  });
}

function libraryIndex(dataDir: string | null, { ask, read, stop, ended }: Threads): LibraryIndex {
  let state: IndexState = { mode: "none", path: null, warnings: [], epoch: 0, file: null, log: null };
  let epochsBefore = 0;
  let epochOfThread = 0;
  /** The last file that was seen, and the warning if another one took its place. */
  let file: string | null = null;
  let removed: Warning[] = [];
  /** Main logs that the index may contain, by path and by inode: only its own thread can continue from there. */
  const known = new Set<string>();

  const told: Ask = async (task, moved) => {
    const answer = await ask(task, moved);
    // A restarted thread counts from 0 again.
    if (answer.state.epoch < epochOfThread) {
      epochsBefore += epochOfThread;
      epochOfThread = 0;
    }
    const isOther = answer.state.file !== null && file !== null && answer.state.file !== file;
    if (isOther && answer.state.epoch === epochOfThread) {
      epochsBefore += 1;
      // An index that another process writes is reported by that process.
      if (answer.state.path !== null && answer.state.mode === "writer")
        removed = [removedWarning(answer.state.path)];
    }
    file = answer.state.file ?? file;
    epochOfThread = answer.state.epoch;
    const epoch = epochsBefore + epochOfThread;
    if (epoch !== state.epoch) known.clear();
    state = { ...answer.state, epoch, warnings: [...answer.state.warnings, ...removed] };
    return answer;
  };

  const indexed = async (task: IndexTask, moved?: ArrayBuffer[]): Promise<IndexedSession> => {
    const answer = await told(task, moved);
    if (!answer.indexed) throw new Error("The index answered without a session");
    return answer.indexed;
  };

  function note({ path, dev, ino }: Pick<StoredFile, "path" | "dev" | "ino">): void {
    known.add(path);
    known.add(`${dev}:${ino}`);
  }

  async function index(
    files: SessionFiles,
    isOneOfMany = false,
    sharedBytes: number | null = null,
    onRead: () => void = () => undefined,
  ): Promise<IndexedSession> {
    const { main } = files;
    const isNew = !known.has(main.path) && !known.has(`${main.dev}:${main.ino}`);
    const request = await scanRequest(files);
    note(main);
    if (!read || !isNew || !isOneOfMany) return indexed({ kind: "index", dataDir, request, sharedBytes });
    const session = await read({ request, wantsTexts: state.mode === "writer" }, bytesOf(files));
    onRead();
    return indexed({ kind: "save", dataDir, session, logs: request.logs }, buffersIn(session));
  }

  return {
    get state() {
      return state;
    },
    isKept: dataDir !== null,
    retry: async () => void (await told({ kind: "retry", dataDir })),
    renewIfRemoved: async () => {
      const { path, file, log } = state;
      if (path === null) return;
      const isLogGone = log !== null && logIdOf(path) !== log;
      if (isLogGone || fileIdOf(path) !== file) await told({ kind: "retry", dataDir });
    },
    open: async () => {
      const { entries = [] } = await told({ kind: "open", dataDir });
      for (const { files } of entries) for (const file of files.slice(0, 1)) note(file);
      return entries;
    },
    shares: async () => (await told({ kind: "shares", dataDir })).shares ?? [],
    index,
    verify: async (sessions) => (await told({ kind: "verify", dataDir, sessions })).stale ?? [],
    forget: async (paths, outside) => void (await told({ kind: "forget", dataDir, paths, outside })),
    check: async () => void (await told({ kind: "check", dataDir })),
    stop,
    ended,
  };
}
