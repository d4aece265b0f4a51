import type { SessionLog } from "@/lib/log/table/session-table";
import { mayPass } from "@/lib/server/disk/file-fault";
import { isThere } from "@/lib/server/disk/kept-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { isStillThere } from "@/lib/server/scan/file-identity";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import type { ActiveSessionCache } from "./active-session-cache";
import { type IndexedSession, indexSession, type NewSession, takeNewSession } from "./index-session";
import type { IndexStore } from "./index-store";
import { type IndexState, OpenIndex } from "./open-index";
import type { StoredShare } from "./share-store";

/** `root` is the folder that must contain the files of a session. */
export type ToVerify = { path: string; root: string };

/** The tasks of the index's thread. */
export type IndexTask = { dataDir: string | null } & (
  | { kind: "open" }
  | { kind: "shares" }
  | { kind: "index"; request: ScanRequest; sharedBytes: number | null }
  | { kind: "save"; session: NewSession; logs: readonly SessionLog[] }
  | { kind: "verify"; sessions: ToVerify[] }
  | { kind: "forget"; paths: string[]; outside: string[] }
  | { kind: "retry" }
  | { kind: "check" }
  | { kind: "close" }
);

/** `entries` answers `open`, `indexed` answers `index` and `save`, `stale` answers `verify` with main logs. */
export type IndexAnswer = {
  state: IndexState;
  entries?: StoredEntry[];
  shares?: StoredShare[];
  indexed?: IndexedSession;
  stale?: string[];
};

/**
 * Runs the index in its thread: does one task after another, and continues without the index if it is not available. No
 * fault of the index ever fails a task.
 */
export class IndexWorker {
  readonly #index = new OpenIndex();

  /** Does a task. Throws only for a session whose logs cannot be read. */
  do(task: IndexTask): IndexAnswer {
    if (task.kind === "close") {
      const { state } = this.#index;
      this.close();
      // Its write-ahead log is removed when the last connection is closed.
      return { state: { ...state, log: null } };
    }
    if (task.kind === "retry") this.#index.retry();
    this.#index.open(task.dataDir);
    const answer = this.#answer(task);
    return { ...answer, state: this.#index.state };
  }

  close(): void {
    this.#index.close();
  }

  #answer(task: Exclude<IndexTask, { kind: "close" }>): Omit<IndexAnswer, "state"> {
    switch (task.kind) {
      case "open":
        return { entries: this.#index.attempt((store) => store.entries().map(({ entry }) => entry)) ?? [] };
      case "shares":
        return { shares: this.#index.attempt((store) => store.shares()) ?? [] };
      case "index":
        return {
          indexed: this.#bringIn((store, hot) => indexSession(store, task.request, hot, task.sharedBytes)),
        };
      case "save":
        return {
          indexed: this.#bringIn((store, hot) => takeNewSession(store, task.logs, task.session, hot)),
        };
      case "verify":
        return { stale: this.#stale(task.sessions) };
      case "forget":
        this.#forget(task.paths, task.outside);
        return {};
      case "retry":
        return {};
      case "check": {
        const wrong = this.#index.attempt((store) => store.check());
        if (typeof wrong === "string") this.#index.rebuild(wrong);
        return {};
      }
    }
  }

  /** A task that fails because of the index is repeated without it, or with the new one. */
  #bringIn(work: (store: IndexStore | null, hot: ActiveSessionCache) => IndexedSession): IndexedSession {
    const index = this.#index;
    const { store } = index;
    try {
      const indexed = work(store, index.hot);
      index.noteWritten();
      return indexed;
    } catch (error) {
      // A log that cannot be read now says nothing about the index.
      if (isViewerError(error) || mayPass(error) || store === null) throw error;
      index.note(error);
      return work(index.store === store ? null : index.store, index.hot);
    }
  }

  #stale(sessions: readonly ToVerify[]): string[] {
    const roots = new Map(sessions.map(({ path, root }) => [path, root]));
    const entries = this.#index.attempt((store) => store.entries()) ?? [];
    const fresh = new Set<string>();
    for (const { entry } of entries) {
      const path = entry.files[0]?.path ?? "";
      const root = roots.get(path);
      if (root !== undefined && entry.files.every((file) => isStillThere(root, file))) fresh.add(path);
    }
    return sessions.flatMap(({ path }) => (fresh.has(path) ? [] : [path]));
  }

  #forget(paths: readonly string[], outside: readonly string[]): void {
    if (this.#index.mode !== "writer" || paths.length + outside.length === 0) return;
    // Logs of roots that were not given this time still exist, and stay in the index.
    const gone = new Set([...outside, ...paths.filter((path) => !isThere(path))]);
    this.#index.attempt((store) => {
      for (const { row, path } of store.paths()) if (gone.has(path)) store.forget(row);
    });
  }
}
