import { Worker } from "node:worker_threads";
import type { SessionFiles } from "../catalog/session-files";
import { scanRequest } from "../session/scan-request";
import { WorkerThread } from "../worker-thread";
import {
  type IndexAnswer,
  IndexKeeper,
  type IndexState,
  type IndexTask,
  type ToVerify,
} from "./index-keeper";
import type { IndexedSession } from "./index-session";
import type { StoredShare } from "./share-store";
import type { StoredEntry } from "./stored-session";

/** The index as the server's own thread sees it. */
export type LibraryIndex = {
  readonly state: IndexState;
  /** All that the index holds. Empty without one. */
  open(): Promise<StoredEntry[]>;
  /** What each session in the index adds to totals over sessions. */
  shares(): Promise<StoredShare[]>;
  /** Reads what is new of a session, saves it, and returns what the library shows of it. */
  index(files: SessionFiles, onProgress?: (bytesDone: number) => void): Promise<IndexedSession>;
  /** Which of these main logs' sessions are not what was indexed. */
  verify(sessions: ToVerify[]): Promise<string[]>;
  /** Drops the sessions of those main logs that are no longer there. */
  forget(paths: string[]): Promise<void>;
  /** Reads the whole index once; a damaged one is replaced by an empty one, and `state.epoch` goes up. */
  check(): Promise<void>;
  stop(): void;
};

type Ask = (task: IndexTask, onProgress?: (bytesDone: number) => void) => Promise<IndexAnswer>;

/** Its heap is worth more than its start as soon as there is nothing to do. */
const IDLE_MS = 2000;

/**
 * The index of a data folder, kept by a thread of its own. One thread: a second one that read
 * for the first finished no sooner on two cores and left 60 MB more behind. Without a folder everything is read at every start.
 */
export function startLibraryIndex(dataDir: string | null): LibraryIndex {
  const thread = new WorkerThread<IndexTask, IndexAnswer, number>(
    () => new Worker(new URL("./index.worker.ts", import.meta.url)),
    // The lock is free for another viewer while there is nothing to write.
    { farewell: { kind: "close", dataDir: null }, idleMs: IDLE_MS },
  );
  return libraryIndex(
    dataDir,
    (task, onProgress) => thread.ask(task, onProgress),
    () => thread.stop(),
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
    // A thread that was started anew counts from 0 again.
    if (answer.state.epoch < epochOfThread) epochsBefore += epochOfThread;
    epochOfThread = answer.state.epoch;
    state = { ...answer.state, epoch: epochsBefore + epochOfThread };
    return answer;
  };
  let epochsBefore = 0;
  let epochOfThread = 0;
  return {
    get state() {
      return state;
    },
    open: async () => (await told({ kind: "open", dataDir })).entries ?? [],
    shares: async () => (await told({ kind: "shares", dataDir })).shares ?? [],
    index: async (files, onProgress) => {
      const { indexed } = await told(
        { kind: "index", dataDir, request: await scanRequest(files) },
        onProgress,
      );
      if (!indexed) throw new Error("The index answered without a session");
      return indexed;
    },
    verify: async (sessions) => (await told({ kind: "verify", dataDir, sessions })).stale ?? [],
    forget: async (paths) => void (await told({ kind: "forget", dataDir, paths })),
    check: async () => void (await told({ kind: "check", dataDir })),
    stop,
  };
}
