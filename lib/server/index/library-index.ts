import { Worker } from "node:worker_threads";
import type { SessionFiles } from "../catalog/session-files";
import type { ScanRequest } from "../session/scanned-session";
import { scanRequest } from "../session/session-cache";
import { WorkerThread } from "../worker-thread";
import {
  type IndexAnswer,
  IndexKeeper,
  type IndexState,
  type IndexTask,
  type ToVerify,
} from "./index-keeper";
import type { StoredEntry } from "./stored-session";

/** The index as the server's own thread sees it. */
export type LibraryIndex = {
  readonly state: IndexState;
  /** All that the index holds. Empty without one. */
  open(): Promise<StoredEntry[]>;
  /** Reads what is new of a session, saves it, and returns what the library shows of it. */
  index(files: SessionFiles, onProgress?: (bytesDone: number) => void): Promise<StoredEntry>;
  /** Which of these main logs' sessions are not what was indexed. */
  verify(sessions: ToVerify[]): Promise<string[]>;
  /** Drops the sessions of those main logs that are no longer there. */
  forget(paths: string[]): Promise<void>;
  /** Reads the whole index once; a damaged one is replaced by an empty one, and `state.epoch` goes up. */
  check(): Promise<void>;
  stop(): void;
};

type Ask = (task: IndexTask, onProgress?: (bytesDone: number) => void) => Promise<IndexAnswer>;

/** Two threads of the index are worth their memory while there is work, and no longer. */
const IDLE_MS = 2000;

/**
 * The index of a data folder, kept by a thread of its own; a second one reads sessions that the index does
 * not know while the first reads and writes others. Without a folder everything is read at every start.
 */
export function startLibraryIndex(dataDir: string | null): LibraryIndex {
  const writer = startThread();
  const reader = startThread();
  return libraryIndex(
    dataDir,
    (task, onProgress) => (task.kind === "read" ? reader : writer).ask(task, onProgress),
    () => {
      writer.stop();
      reader.stop();
    },
  );
}

function startThread(): WorkerThread<IndexTask, IndexAnswer, number> {
  return new WorkerThread(
    () =>
      new Worker(new URL("./index.worker.ts", import.meta.url), {
        // Parsed lines are garbage at once: with little room they would be moved before they are.
        resourceLimits: { maxYoungGenerationSizeMb: 64 },
      }),
    // The lock is free for another viewer while there is nothing to write.
    { farewell: { kind: "close", dataDir: null }, idleMs: IDLE_MS },
  );
}

/** The same in this thread, for tests and benchmarks. */
export function openLibraryIndex(dataDir: string | null): LibraryIndex {
  const keeper = new IndexKeeper();
  return libraryIndex(
    dataDir,
    async (task, onProgress) => keeper.do(task, onProgress ?? (() => undefined)),
    () => keeper.close(),
  );
}

function libraryIndex(dataDir: string | null, ask: Ask, stop: () => void): LibraryIndex {
  let state: IndexState = { mode: "none", path: null, warnings: [], epoch: 0 };
  const told = async (task: IndexTask, onProgress?: (bytesDone: number) => void): Promise<IndexAnswer> => {
    const answer = await ask(task, onProgress);
    if (task.kind === "read") return answer;
    // A thread that was started anew counts from 0 again.
    if (answer.state.epoch < epochOfThread) epochsBefore += epochOfThread;
    epochOfThread = answer.state.epoch;
    state = { ...answer.state, epoch: epochsBefore + epochOfThread };
    return answer;
  };
  let epochsBefore = 0;
  let epochOfThread = 0;
  /** Main logs that the index holds. */
  const known = new Set<string>();
  let writing = 0;
  let reading = 0;

  async function readAndSave(
    request: ScanRequest,
    onProgress?: (bytesDone: number) => void,
  ): Promise<StoredEntry> {
    reading += 1;
    const { session } = await told({ kind: "read", dataDir, request }, onProgress).finally(() => {
      reading -= 1;
    });
    if (!session) throw new Error("The index answered without a session");
    await told({ kind: "save", dataDir, session });
    return session.entry;
  }

  async function write(request: ScanRequest, onProgress?: (bytesDone: number) => void): Promise<StoredEntry> {
    writing += 1;
    const { entry } = await told({ kind: "index", dataDir, request }, onProgress).finally(() => {
      writing -= 1;
    });
    if (!entry) throw new Error("The index answered without an entry");
    return entry;
  }

  return {
    get state() {
      return state;
    },
    open: async () => {
      const { entries = [] } = await told({ kind: "open", dataDir });
      for (const { files } of entries) known.add(files[0]?.path ?? "");
      return entries;
    },
    index: async (files, onProgress) => {
      const request = await scanRequest(files);
      const { path } = files.main;
      // Renamed logs are known to the writer alone; if this takes one for new, it is read once more.
      const isFree = state.mode === "writer" && writing > reading;
      const entry = await (isFree && !known.has(path) ? readAndSave : write)(request, onProgress);
      known.add(path);
      return entry;
    },
    verify: async (sessions) => (await told({ kind: "verify", dataDir, sessions })).stale ?? [],
    forget: async (paths) => void (await told({ kind: "forget", dataDir, paths })),
    check: async () => void (await told({ kind: "check", dataDir })),
    stop,
  };
}
