import { type Stats, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, normalize, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FSWatcher } from "chokidar";
import { faultCode } from "@/lib/server/disk/file-fault";
import { Coalescer } from "@/lib/server/runtime/coalescer";
import { FolderPoll, isLog, NO_LOGS, SLOW_MS } from "./folder-poll";
import { WATCHED_IN_CONFIG, type WatchedRoots } from "./watched-roots";

/** Logs written within this time are watched individually, all others through their folder. */
const RECENT_MS = 24 * 60 * 60_000;
const MAX_FILES = 1_000;
const MAX_FOLDERS = 4_000;
/** Listing a folder that is written to takes at most a twentieth of a core, however many logs it has. */
const LIST_REST = 20;
/** A folder's time of change is the system's last tick. */
const TICK_MS = 20;
/** So long ago a file may have been written of which the system tells now without its name. */
const UNNAMED_MS = 30_000;
/** A disk that does not answer must not keep the rest from starting. */
const READY_WITHIN_MS = 30_000;

/**
 * Reports which files may have changed; the reader of the file finds out what has. One watch per folder and one
 * per recently written log, so the number stays bounded; a folder for which the system grants no watch
 * (ENOSPC, EMFILE) is polled.
 */
export class RootWatcher {
  readonly #changed: (path: string) => void;
  readonly #readyWithinMs: number;
  readonly #poll: FolderPoll;
  readonly #folders = new Set<string>();
  #watcher: FSWatcher | null = null;
  #configs: readonly string[] = [];
  /** Folders for which the system has granted a watch. */
  readonly #watched = new Set<string>();
  /** Folders that were listed last at this time and are not watched since. */
  readonly #listedAtMs = new Map<string, number>();
  /** Folders that could not be listed: what is in them is not watched. */
  readonly #unlistable = new Set<string>();
  /** Of folders that have changed. */
  readonly #listings = new Map<string, Coalescer>();
  /** Looks for what was written in folders of which no file was named. */
  readonly #unnamed = new Map<string, Coalescer>();
  #files = 0;
  #isReady = false;
  /** Not everything was watched when it was to be: what is listed from then on is polled until it is watched. */
  #isLate = false;
  #stopped = false;

  /** @param readyWithinMs after so long what is not watched yet is polled until it is */
  constructor(changed: (path: string) => void, readyWithinMs = READY_WITHIN_MS) {
    this.#changed = changed;
    this.#readyWithinMs = readyWithinMs;
    this.#poll = new FolderPoll(changed, (path, isInstead) => this.#isPolled(path, isInstead));
  }

  /** Resolves when every existing folder is watched or polled. */
  async start({ configs, logs }: WatchedRoots): Promise<void> {
    const roots = [...configs, ...logs];
    this.#configs = configs;
    // It would wait for the first of them for ever.
    if (roots.length === 0) return;
    const watcher = new FSWatcher({
      ignoreInitial: true,
      followSymlinks: false,
      atomic: false,
      ignorePermissionErrors: true,
      // On Windows it asks with slashes, and tells with backslashes.
      ignored: (path, stats) => this.#isIgnored(normalize(path), stats, roots),
    });
    this.#watcher = watcher;
    this.#takeEvents(watcher);
    this.#takeListings(watcher);
    const ready = new Promise<void>((resolve) => {
      watcher.once("ready", () => {
        for (const folder of Object.keys(watcher.getWatched())) this.#folders.add(folder);
        resolve();
      });
      watcher.add(roots);
    });
    const late = sleep(this.#readyWithinMs, "late", { ref: false });
    this.#isLate = (await Promise.race([ready, late])) === "late";
    if (this.#stopped) return;
    for (const folder of this.#isLate ? this.#listedAtMs.keys() : [])
      if (!this.#watched.has(folder)) this.#poll.add(folder);
    // From then on each change in them is noticed.
    await Promise.race([
      this.#poll.looked(),
      this.#isLate ? sleep(SLOW_MS, undefined, { ref: false }) : late,
    ]);
    this.#isReady = true;
  }

  /** Number of folders watched or polled, and how many of them are only polled. */
  get coverage(): { folders: number; polled: number } {
    return { folders: Math.max(this.#folders.size, this.#poll.size), polled: this.#poll.size };
  }

  /**
   * Polls a folder whose files change without events from its watch, and with it the clients' registry, which lies on the
   * same disk: network and overlay file systems.
   */
  pollInstead(folder: string): void {
    this.#poll.add(folder, { isInstead: true });
    const config = this.#configs.find((path) => folder.startsWith(join(path, sep)));
    const registry = config && join(/*turbopackIgnore: true*/ config, "sessions");
    if (registry && this.#folders.has(registry)) this.#poll.add(registry, { isInstead: true });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#poll.stop();
    for (const task of [...this.#listings.values(), ...this.#unnamed.values()]) task.stop();
    await this.#watcher?.close();
  }

  #takeEvents(watcher: FSWatcher): void {
    watcher.on("addDir", (path) => {
      this.#folders.add(path);
      this.#changed(path);
    });
    watcher.on("unlinkDir", (path) => {
      for (const folders of [this.#folders, this.#watched, this.#listedAtMs, this.#unlistable])
        folders.delete(path);
      for (const tasks of [this.#listings, this.#unnamed]) {
        tasks.get(path)?.stop();
        tasks.delete(path);
      }
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
      if (isLog(watchedPath)) return this.#changed(watchedPath);
      if (!name) return this.#tellUnnamed(watchedPath);
      const path = join(/*turbopackIgnore: true*/ watchedPath, name);
      if (isLog(path)) this.#changed(path);
    });
    watcher.on("error", (error) => this.#uncover(error));
  }

  /**
   * With every event in a folder chokidar lists the folder again and looks at each file in it, which a line that is
   * written does not ask for: the raw event names its file. All there is to find are folders that came and went.
   *
   * It lists a folder before it watches it. What was made in between had no event: such a folder is listed again. Where a
   * listing fails it waits for its end for ever: such a folder is polled, until it has been listed.
   */
  #takeListings(watcher: FSWatcher): void {
    // oxlint-disable no-underscore-dangle -- chokidar has no setting for any of these
    const handler = watcher._nodeFsHandler;
    const handleRead = handler._handleRead.bind(handler);
    const watch = handler._watchWithNodeFs.bind(handler);
    const read = watcher._readdirp.bind(watcher);
    const opened: ReturnType<typeof read>[] = [];
    watcher._readdirp = (root, options) => {
      const stream = read(root, options);
      opened.push(stream);
      return stream;
    };
    const list: typeof handleRead = (folder, ...rest) => {
      const listed = handleRead(folder, ...rest);
      const [stream] = opened.splice(0);
      if (!listed || !stream) return listed;
      const failed = new Promise<undefined>((resolve) => {
        stream.once("error", () => {
          this.#unlistable.add(folder);
          if (!this.#stopped) this.#poll.add(folder);
          resolve(undefined);
        });
      });
      stream.once("end", () => {
        if (this.#unlistable.delete(folder) && this.#watched.has(folder)) this.#poll.end(folder);
      });
      return Promise.race([listed, failed]);
    };
    handler._handleRead = (folder, isInitial, ...rest) => {
      this.#listedAtMs.set(folder, Date.now());
      if (this.#isLate && isInitial && !this.#stopped) this.#poll.add(folder, { isNew: true });
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
      const sinceMs = this.#listedAtMs.get(path);
      if (sinceMs === undefined) return close;
      this.#listedAtMs.delete(path);
      if (close) {
        this.#watched.add(path);
        if (!this.#unlistable.has(path)) this.#poll.end(path);
      }
      if (changedAtMs(path) >= sinceMs - TICK_MS) void listener(path);
      return close;
    };
    // oxlint-enable no-underscore-dangle
  }

  /**
   * Windows names no file where more was written at once than it has room to tell: those that were written just now are
   * looked for.
   */
  #tellUnnamed(folder: string): void {
    let look = this.#unnamed.get(folder);
    if (!look) {
      look = new Coalescer(
        0,
        async () => {
          for (const path of await logsWritten(folder, Date.now() - UNNAMED_MS)) this.#changed(path);
        },
        LIST_REST,
      );
      this.#unnamed.set(folder, look);
    }
    look.request();
  }

  #isIgnored(path: string, stats: Stats | undefined, roots: readonly string[]): boolean {
    if (roots.includes(path)) return false;
    if (this.#hasNoLogs(path)) return true;
    if (!stats) return false;
    if (stats.isDirectory()) return this.#isTooMany(path);
    if (!stats.isFile() || !isLog(path)) return true;
    if (Date.now() - stats.mtimeMs > RECENT_MS || this.#files >= MAX_FILES) return true;
    this.#files += 1;
    return false;
  }

  /** True for a folder that nobody needs to look into, whatever lies in it. */
  #hasNoLogs(path: string): boolean {
    const name = basename(path);
    return NO_LOGS.has(name) || (this.#configs.includes(dirname(path)) && !WATCHED_IN_CONFIG.includes(name));
  }

  /** Whether a folder in a polled one is polled as well. `isInstead`: because watches there say nothing. */
  #isPolled(path: string, isInstead: boolean): boolean {
    return !this.#hasNoLogs(path) && (isInstead || !this.#watched.has(path) || this.#unlistable.has(path));
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
    // In a folder that has just come, files may have come since it was listed.
    this.#poll.add(isFolder(path) ? path : dirname(path), { isNew: this.#isReady });
  }
}

/** Of one that cannot be looked at, as its name says. */
function isFolder(path: string): boolean {
  try {
    return statSync(/*turbopackIgnore: true*/ path).isDirectory();
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return !isLog(path);
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

/** The logs in a folder that were written since then. */
async function logsWritten(folder: string, sinceMs: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const path of names.map((name) => join(/*turbopackIgnore: true*/ folder, name)).filter(isLog)) {
    const stats = await stat(path).catch(() => null);
    if (stats && stats.mtimeMs >= sinceMs) found.push(path);
  }
  return found;
}
