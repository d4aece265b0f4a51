import type { Warning } from "@/lib/wire/library";
import { ActiveSessionCache } from "./active-session-cache";
import {
  type IndexFile,
  type IndexFiles,
  indexFilesOf,
  isBusy,
  isDamage,
  messageOf,
  openIndexFile,
  rebuiltWarning,
  removeRest,
  setIndexAside,
  unusable,
} from "./index-file";
import { IndexStore, ReadOnlyIndexStore } from "./index-store";

/** How the index stands. `mode`: `reader` where another server writes it, `none` where it can neither be written nor read. */
export type IndexState = {
  mode: "writer" | "reader" | "none";
  /** The database, if there is one that can be read. */
  path: string | null;
  warnings: Warning[];
  /** Increases when the index was rebuilt: everything saved before is gone. */
  epoch: number;
  /** Identifies the database's file, so that another one in its place is noticed. */
  file: string | null;
  /** The same for its write-ahead log, while it is open for writing. */
  log: string | null;
};

/** After a failed write the index is left alone for this long. */
const RETRY_AFTER_MS = 30_000;

const NO_FILES: IndexFiles = { database: null, lock: null, log: null };

/** A disk that damages what is written would cause endless rebuilding. */
const MAX_REBUILDS = 3;

/**
 * The index of a data folder, as far as it is available now: opened when it is needed, set aside and rebuilt when it
 * turns out damaged, left alone for a while when it cannot be used.
 */
export class OpenIndex {
  /** Refers to rows of the store, and is dropped with it. */
  readonly hot = new ActiveSessionCache();
  #file: IndexFile | null = null;
  #store: IndexStore | null = null;
  #openedFor: string | null = null;
  #files = NO_FILES;
  #epoch = 0;
  #faults: Warning[] = [];
  #retryAtMs = 0;

  /** Null where there is none. One that another process writes saves and forgets nothing. */
  get store(): IndexStore | null {
    return this.#store;
  }

  /** `none` while nothing is open. */
  get mode(): IndexState["mode"] {
    return this.#file?.mode ?? "none";
  }

  get state(): IndexState {
    const path = this.mode === "none" ? null : (this.#file?.path ?? null);
    const { database: file, log } = this.#files;
    return {
      mode: this.mode,
      path,
      warnings: this.#faults,
      epoch: this.#epoch,
      file,
      log: this.mode === "writer" ? log : null,
    };
  }

  /** Opens the index if it is not open, or could not be written before. Without a folder nothing is opened. */
  open(dataDir: string | null): void {
    if (dataDir === null) return;
    this.#leaveRemoved();
    const retry = this.#file !== null && this.#file.mode !== "writer" && performance.now() >= this.#retryAtMs;
    if (this.#openedFor === dataDir && this.#file && !retry) return;
    this.close();
    this.#openedFor = dataDir;
    this.#retryAtMs = performance.now() + RETRY_AFTER_MS;
    this.#file = openIndexFile(dataDir);
    this.#faults = [...this.#faults.filter(({ code }) => code === "index-rebuilt"), ...this.#file.warnings];
    try {
      if (this.mode !== "none") this.#files = indexFilesOf(this.#file.path);
      const { database } = this.#file;
      const Store = this.mode === "reader" ? ReadOnlyIndexStore : IndexStore;
      this.#store = database && new Store(database);
    } catch (error) {
      this.note(error);
    }
  }

  /** The next `open` tries again, however lately it failed. */
  retry(): void {
    // Infinite after too many rebuilds: then it is left alone.
    if (Number.isFinite(this.#retryAtMs)) this.#retryAtMs = 0;
  }

  /** What `work` returns, or null where the index cannot do it. */
  attempt<T>(work: (store: IndexStore) => T): T | null {
    if (!this.#store) return null;
    try {
      return work(this.#store);
    } catch (error) {
      this.note(error);
      return null;
    }
  }

  /** Something was written: the index can be used again. */
  noteWritten(): void {
    if (this.mode === "writer") this.#faults = this.#faults.filter(({ code }) => code !== "index-unusable");
  }

  /** Reacts to an error of the store. */
  note(error: unknown): void {
    if (isBusy(error)) return;
    if (isDamage(error)) {
      this.rebuild(messageOf(error));
      return;
    }
    const path = this.#file?.path ?? "";
    this.#leave(path, performance.now() + RETRY_AFTER_MS);
    this.#faults = [...this.#faults.filter(({ code }) => code !== "index-unusable"), unusable(path, error)];
  }

  /** Sets a damaged index aside and begins a new one. */
  rebuild(reason: string): void {
    const { path = "", mode } = this.#file ?? {};
    const dataDir = this.#openedFor;
    this.close();
    this.#epoch += 1;
    if (this.#epoch > MAX_REBUILDS) {
      this.#leave(path, Number.POSITIVE_INFINITY);
      this.#faults = [unusable(path, new Error(reason))];
      return;
    }
    if (mode !== "writer" || dataDir === null) return;
    try {
      setIndexAside(path);
    } catch (error) {
      // On Windows a file cannot be renamed while a search has it open.
      this.#leave(path, performance.now() + RETRY_AFTER_MS);
      this.#faults = [unusable(path, error)];
      return;
    }
    this.#faults = [rebuiltWarning(path, reason)];
    this.#openedFor = null;
    this.open(dataDir);
  }

  /** Leaves it; `open` may open it again. */
  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#store = null;
    this.#files = NO_FILES;
    this.hot.clear();
  }

  /** Closes an index whose files somebody has removed or replaced: whatever is written to them is lost. */
  #leaveRemoved(): void {
    if (this.#file === null || this.mode === "none") return;
    const { path, mode } = this.#file;
    const now = indexFilesOf(path);
    const { database, lock, log } = this.#files;
    const isLogGone = mode === "writer" && log !== null && log !== now.log;
    // Without its lock another viewer would write it as well.
    if (database === now.database && (mode !== "writer" || lock === now.lock) && !isLogGone) return;
    this.close();
    if (isLogGone && database === now.database) removeRest(path);
  }

  #leave(path: string, untilMs: number): void {
    this.close();
    this.#file = { mode: "none", path, database: null, warnings: [], close: () => undefined };
    this.#retryAtMs = untilMs;
  }
}
