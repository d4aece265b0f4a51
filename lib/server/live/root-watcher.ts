import { type Stats, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { FSWatcher } from "chokidar";
import { faultCode } from "@/lib/server/disk/file-fault";
import { Coalescer } from "./coalescer";

/** Logs written within this time are watched individually, all others through their folder. */
const RECENT_MS = 24 * 60 * 60_000;
const MAX_FILES = 1_000;
const MAX_FOLDERS = 4_000;
/** Listing a folder that is written to takes at most a twentieth of a core, however many logs it has. */
const LIST_REST = 20;
/** A folder's time of change is the system's last tick. */
const TICK_MS = 20;

/** Folders of a session or project that contain no logs. */
const NO_LOGS = new Set(["tool-results", "memory", "file-history", "image-cache", "node_modules", ".git"]);

/** The relevant entries of a configuration folder. */
const OF_CONFIG = new Set(["projects", "conversations", "sessions"]);

export type WatchedRoots = {
  /** Configuration folders: only logs and the clients' registry in them count. */
  configs: readonly string[];
  /** Folders that contain logs at any depth. */
  logs: readonly string[];
};

/**
 * Reports which files may have changed; the reader of the file finds out what has. One watch per folder and one
 * per recently written log, so the number stays bounded; a folder for which the system grants no watch
 * (ENOSPC, EMFILE) is polled.
 */
export class RootWatcher {
  readonly #changed: (path: string) => void;
  readonly #poll: FolderPoll;
  readonly #folders = new Set<string>();
  #watcher: FSWatcher | null = null;
  /** Of folders that have changed. */
  readonly #listings = new Map<string, Coalescer>();
  #files = 0;
  #stopped = false;

  constructor(changed: (path: string) => void) {
    this.#changed = changed;
    this.#poll = new FolderPoll(changed);
  }

  /** Resolves when every existing folder is watched or polled. */
  async start({ configs, logs }: WatchedRoots): Promise<void> {
    const roots = [...configs, ...logs];
    const watcher = new FSWatcher({
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      ignorePermissionErrors: true,
      ignored: (path, stats) => this.#isIgnored(path, stats, roots, configs),
    });
    this.#watcher = watcher;
    watcher.on("addDir", (path) => {
      this.#folders.add(path);
      this.#changed(path);
    });
    watcher.on("unlinkDir", (path) => {
      this.#folders.delete(path);
      this.#listings.get(path)?.stop();
      this.#listings.delete(path);
      this.#poll.drop(path);
      this.#changed(path);
    });
    watcher.on("all", (event, path) => {
      if (event === "add" || event === "change" || event === "unlink") this.#changed(path);
    });
    // A folder's own watch names every file in it that changes, including those without a watch.
    watcher.on("raw", (_event, name, details) => {
      const { watchedPath } = details as { watchedPath?: string };
      if (!watchedPath) return;
      const path =
        isLog(watchedPath) || !name ? watchedPath : join(/*turbopackIgnore: true*/ watchedPath, name);
      if (isLog(path)) this.#changed(path);
    });
    watcher.on("error", (error) => this.#uncover(error));
    this.#takeListings(watcher);
    await new Promise<void>((resolve) => {
      watcher.once("ready", () => resolve());
      watcher.add(roots);
    });
    for (const folder of Object.keys(watcher.getWatched())) this.#folders.add(folder);
  }

  /** Number of folders watched or polled, and how many of them are only polled. */
  get coverage(): { folders: number; polled: number } {
    return { folders: Math.max(this.#folders.size, this.#poll.size), polled: this.#poll.size };
  }

  /** Polls a folder whose files change without events from its watch: network and overlay file systems. */
  pollInstead(folder: string): void {
    this.#poll.add(folder);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#poll.stop();
    for (const listing of this.#listings.values()) listing.stop();
    await this.#watcher?.close();
  }

  /**
   * With every event in a folder chokidar lists the folder again and looks at each file in it, which a line that is
   * written does not ask for: the raw event names its file. All there is to find are folders that came and went.
   *
   * It lists a folder before it watches it. What was made in between had no event: such a folder is listed again.
   */
  #takeListings({ _nodeFsHandler: handler }: FSWatcher): void {
    // oxlint-disable no-underscore-dangle -- chokidar has no setting for either
    const list = handler._handleRead.bind(handler);
    const watch = handler._watchWithNodeFs.bind(handler);
    const listedAtMs = new Map<string, number>();
    handler._handleRead = (folder, isInitial, ...rest) => {
      listedAtMs.set(folder, Date.now());
      // Who adds a folder waits for its first listing.
      if (isInitial || this.#stopped) return list(folder, isInitial, ...rest);
      let listing = this.#listings.get(folder);
      if (!listing) {
        listing = new Coalescer(0, async () => void (await list(folder, isInitial, ...rest)), LIST_REST);
        this.#listings.set(folder, listing);
      }
      listing.request();
      return undefined;
    };
    handler._watchWithNodeFs = (path, listener) => {
      const close = watch(path, listener);
      const sinceMs = listedAtMs.get(path);
      listedAtMs.delete(path);
      if (sinceMs !== undefined && changedAtMs(path) >= sinceMs - TICK_MS) void listener(path);
      return close;
    };
    // oxlint-enable no-underscore-dangle
  }

  #isIgnored(
    path: string,
    stats: Stats | undefined,
    roots: readonly string[],
    configs: readonly string[],
  ): boolean {
    if (roots.includes(path)) return false;
    const name = path.slice(path.lastIndexOf(sep) + 1);
    if (NO_LOGS.has(name) || (configs.includes(dirname(path)) && !OF_CONFIG.has(name))) return true;
    if (!stats) return false;
    if (stats.isDirectory()) return this.#isTooMany(path);
    if (!stats.isFile() || !isLog(path)) return true;
    if (Date.now() - stats.mtimeMs > RECENT_MS || this.#files >= MAX_FILES) return true;
    this.#files += 1;
    return false;
  }

  #isTooMany(path: string): boolean {
    if (this.#folders.has(path) || this.#folders.size < MAX_FOLDERS) return false;
    // Session folders are the most numerous; the project's own watch reports a session that continues.
    return dirname(dirname(path)) !== path && /[0-9a-f]{8}-[0-9a-f]{4}-/.test(path);
  }

  #uncover(error: unknown): void {
    const code = faultCode(error);
    const path =
      error instanceof Error
        ? ((error as { path?: string; filename?: string }).path ?? (error as { filename?: string }).filename)
        : undefined;
    if (code === null || !path) return console.error("Watching the logs failed:", error);
    this.#poll.add(isLog(path) ? dirname(path) : path);
  }
}

/** When something was last made or removed in a folder; long ago in one that is gone. */
function changedAtMs(folder: string): number {
  try {
    return statSync(/*turbopackIgnore: true*/ folder).mtimeMs;
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return 0;
  }
}

/** True for the files that live reading needs: logs, agents' meta files, registry entries. */
function isLog(path: string): boolean {
  return (
    /\.jsonl[.\w-]*~?$/i.test(path) ||
    path.endsWith(".meta.json") ||
    /[\\/]sessions[\\/]\d+\.json$/.test(path)
  );
}

const EVERY_MS = 2_000;

/** Checks folders that cannot be watched, every 2 s, for files that were added, grew, shrank or were removed. */
export class FolderPoll {
  readonly #changed: (path: string) => void;
  readonly #folders = new Map<string, Map<string, string>>();
  #timer: NodeJS.Timeout | null = null;
  #checking = false;

  constructor(changed: (path: string) => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#folders.size;
  }

  add(folder: string): void {
    if (this.#folders.has(folder)) return;
    const seen = new Map<string, string>();
    this.#folders.set(folder, seen);
    void this.#check(folder, seen, false);
    this.#timer ??= setInterval(() => void this.#checkAll(), EVERY_MS).unref();
  }

  drop(folder: string): void {
    this.#folders.delete(folder);
    if (this.#folders.size === 0) this.stop();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #checkAll(): Promise<void> {
    if (this.#checking) return; // a slow disk: the next tick will do
    this.#checking = true;
    for (const [folder, seen] of this.#folders) await this.#check(folder, seen, true);
    this.#checking = false;
  }

  async #check(folder: string, seen: Map<string, string>, notify: boolean): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map((entry) => entry.name));
    for (const entry of entries) {
      const path = join(/*turbopackIgnore: true*/ folder, entry.name);
      // A folder created in one that cannot be watched has no watch either.
      if (entry.isDirectory() && !this.#folders.has(path)) this.add(path);
      if (!entry.isFile() || !/\.(jsonl|json)\b/i.test(entry.name)) continue;
      const found = await stat(path).catch(() => null);
      const mark = found ? `${found.ino}:${found.size}` : "gone";
      const isNew = seen.get(entry.name) !== mark;
      seen.set(entry.name, mark);
      if (isNew && notify) this.#changed(path);
    }
    for (const name of seen.keys()) {
      if (names.has(name)) continue;
      seen.delete(name);
      if (notify) this.#changed(join(/*turbopackIgnore: true*/ folder, name));
    }
  }
}
