import { existsSync } from "node:fs";
import type { ScanRequest } from "../session/scanned-session";
import { isViewerError } from "../viewer-error";
import { isStillThere } from "./file-identity";
import { HotSessions } from "./hot-sessions";
import { isBusy, isDamage, messageOf } from "./index-fault";
import {
  type IndexFile,
  openIndexFile,
  rebuiltWarning,
  setAside,
  unusable,
  type Warning,
} from "./index-file";
import { type IndexedSession, indexSession } from "./index-session";
import { createIndexStore, type EncodedSession, type IndexStore } from "./index-store";
import type { StoredShare } from "./share-store";
import type { StoredEntry } from "./stored-session";

/** `root` is what the files of a session must lie under. */
export type ToVerify = { path: string; root: string };

export type IndexTask = { dataDir: string | null } & (
  | { kind: "open" }
  | { kind: "shares" }
  | { kind: "index"; request: ScanRequest; sharedBytes: number | null }
  | { kind: "save"; session: EncodedSession }
  | { kind: "verify"; sessions: ToVerify[] }
  | { kind: "forget"; paths: string[]; outside: string[] }
  | { kind: "retry" }
  | { kind: "check" }
  | { kind: "close" }
);

export type IndexState = {
  mode: "writer" | "reader" | "none";
  /** The database, where there is one that can be read. */
  path: string | null;
  warnings: Warning[];
  /** Goes up when the index was made anew: all that was saved before is gone. */
  epoch: number;
};

/** `entries` answers `open`, `indexed` answers `index`, `isStored` answers `save`, `stale` answers `verify` with main logs. */
export type IndexAnswer = {
  state: IndexState;
  entries?: StoredEntry[];
  shares?: StoredShare[];
  indexed?: IndexedSession;
  isStored?: boolean;
  stale?: string[];
};

/** After a failure to write, the index is left alone for so long. */
const RETRY_AFTER_MS = 30_000;

/** A disk that damages what is written would have the index built for ever. */
const MOST_REBUILDS = 3;

/**
 * Keeps the index in its thread: opens it when it is needed, sets it aside when it turns out damaged, and
 * goes on without it where it cannot be had. No fault of the index ever fails a task.
 */
export class IndexKeeper {
  #file: IndexFile | null = null;
  #store: IndexStore | null = null;
  readonly #hot = new HotSessions();
  #openedFor: string | null = null;
  #epoch = 0;
  #faults: Warning[] = [];
  #retryAtMs = 0;

  do(task: IndexTask): IndexAnswer {
    if (task.kind === "close") {
      const state = this.#state();
      this.close();
      return { state };
    }
    // Infinite after too many rebuilds: then it is left alone.
    if (task.kind === "retry" && Number.isFinite(this.#retryAtMs)) this.#retryAtMs = 0;
    this.#open(task.dataDir);
    const answer = this.#answer(task);
    return { ...answer, state: this.#state() };
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#store = null;
    this.#hot.clear();
  }

  #answer(task: Exclude<IndexTask, { kind: "close" }>): Omit<IndexAnswer, "state"> {
    switch (task.kind) {
      case "open":
        return { entries: this.#attempt((store) => store.entries().map(({ entry }) => entry)) ?? [] };
      case "shares":
        return { shares: this.#attempt((store) => store.shares()) ?? [] };
      case "index":
        return { indexed: this.#index(task) };
      case "save":
        return { isStored: this.#save(task.session) };
      case "verify":
        return { stale: this.#stale(task.sessions) };
      case "forget":
        this.#forget(task.paths, task.outside);
        return {};
      case "retry":
        return {};
      case "check": {
        const wrong = this.#attempt((store) => store.check());
        if (typeof wrong === "string") this.#rebuild(wrong);
        return {};
      }
    }
  }

  #index({ request, sharedBytes }: Extract<IndexTask, { kind: "index" }>): IndexedSession {
    // A reader may use what is there, but another process writes it.
    const store =
      this.#store && this.#file?.mode === "reader"
        ? { ...this.#store, save: () => null, forget: () => undefined }
        : this.#store;
    try {
      const indexed = indexSession(store, request, this.#hot, sharedBytes);
      this.#settle();
      return indexed;
    } catch (error) {
      if (isViewerError(error) || store === null) throw error;
      this.#note(error);
      return indexSession(this.#store === store ? null : this.#store, request, this.#hot, sharedBytes);
    }
  }

  /** What another thread has read. Where it cannot be saved it is read again by the next start. */
  #save(session: EncodedSession): boolean {
    if (this.#file?.mode !== "writer") return false;
    const saved = this.#attempt((store) => store.save(null, session));
    if (saved !== null) this.#settle();
    return saved !== null;
  }

  /** It can be written to again. */
  #settle(): void {
    if (this.#file?.mode === "writer")
      this.#faults = this.#faults.filter(({ code }) => code !== "index-unusable");
  }

  #stale(sessions: readonly ToVerify[]): string[] {
    const roots = new Map(sessions.map(({ path, root }) => [path, root]));
    const entries = this.#attempt((store) => store.entries()) ?? [];
    const fresh = new Set<string>();
    for (const { entry } of entries) {
      const path = entry.files[0]?.path ?? "";
      const root = roots.get(path);
      if (root !== undefined && entry.files.every((file) => isStillThere(root, file))) fresh.add(path);
    }
    return sessions.flatMap(({ path }) => (fresh.has(path) ? [] : [path]));
  }

  #forget(paths: readonly string[], outside: readonly string[]): void {
    if (this.#file?.mode !== "writer" || paths.length + outside.length === 0) return;
    // Logs of roots that this start was not given are still there, and stay in the index.
    const gone = new Set([...outside, ...paths.filter((path) => !existsSync(path))]);
    this.#attempt((store) => {
      for (const { row, entry } of store.entries())
        if (gone.has(entry.files[0]?.path ?? "")) store.forget(row);
    });
  }

  #open(dataDir: string | null): void {
    if (dataDir === null) return;
    const retry = this.#file !== null && this.#file.mode !== "writer" && Date.now() >= this.#retryAtMs;
    if (this.#openedFor === dataDir && this.#file && !retry) return;
    this.close();
    this.#openedFor = dataDir;
    this.#retryAtMs = Date.now() + RETRY_AFTER_MS;
    this.#file = openIndexFile(dataDir);
    this.#faults = [...this.#faults.filter(({ code }) => code === "index-rebuilt"), ...this.#file.warnings];
    try {
      this.#store = this.#file.database && createIndexStore(this.#file.database);
    } catch (error) {
      this.#note(error);
    }
  }

  /** What `work` returns, or null where the index cannot do it. */
  #attempt<T>(work: (store: IndexStore) => T): T | null {
    if (!this.#store) return null;
    try {
      return work(this.#store);
    } catch (error) {
      this.#note(error);
      return null;
    }
  }

  #note(error: unknown): void {
    if (isBusy(error)) return;
    if (isDamage(error)) this.#rebuild(messageOf(error));
    else {
      const path = this.#file?.path ?? "";
      this.close();
      this.#file = { mode: "none", path, database: null, warnings: [], close: () => undefined };
      this.#retryAtMs = Date.now() + RETRY_AFTER_MS;
      this.#faults = [...this.#faults.filter(({ code }) => code !== "index-unusable"), unusable(path, error)];
    }
  }

  #rebuild(reason: string): void {
    const { path = "", mode } = this.#file ?? {};
    const dataDir = this.#openedFor;
    this.close();
    this.#epoch += 1;
    if (this.#epoch > MOST_REBUILDS) {
      this.#file = { mode: "none", path, database: null, warnings: [], close: () => undefined };
      this.#retryAtMs = Number.POSITIVE_INFINITY;
      this.#faults = [unusable(path, new Error(reason))];
      return;
    }
    if (mode !== "writer" || dataDir === null) return;
    setAside(path);
    this.#faults = [rebuiltWarning(path, reason)];
    this.#openedFor = null;
    this.#open(dataDir);
  }

  #state(): IndexState {
    const { mode = "none", path = null } = this.#file ?? {};
    return { mode, path: mode === "none" ? null : path, warnings: this.#faults, epoch: this.#epoch };
  }
}
