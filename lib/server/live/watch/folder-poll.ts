import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Folders of a session or project that contain no logs. */
export const NO_LOGS = new Set([
  "tool-results",
  "memory",
  "file-history",
  "image-cache",
  "node_modules",
  ".git",
]);

/** True for the files that live reading needs: logs, agents' meta files, registry entries. */
export function isLog(path: string): boolean {
  return (
    /\.jsonl[.\w-]*~?$/i.test(path) ||
    path.endsWith(".meta.json") ||
    /[\\/]sessions[\\/]\d+\.json$/.test(path)
  );
}

const EVERY_MS = 2_000;
/** A folder that does not answer holds up the others for so long, and only once. */
export const SLOW_MS = 1_000;

type PolledFolder = {
  /** Each file as it was found last. */
  seen: Map<string, string>;
  isInstead: boolean;
  look: Promise<void> | null;
};

/** Checks folders that cannot be watched, every 2 s, for files that were added, written or removed. */
export class FolderPoll {
  readonly #changed: (path: string) => void;
  readonly #follows: (path: string, isInstead: boolean) => boolean;
  readonly #folders = new Map<string, PolledFolder>();
  #timer: NodeJS.Timeout | null = null;
  #checking = false;
  #stopped = false;

  /** @param follows whether a folder in a polled one is polled as well */
  constructor(
    changed: (path: string) => void,
    follows: (path: string, isInstead: boolean) => boolean = (path) => !NO_LOGS.has(basename(path)),
  ) {
    this.#changed = changed;
    this.#follows = follows;
  }

  get size(): number {
    return this.#folders.size;
  }

  /**
   * Polls a folder, with those in it.
   * @param isInstead although they may be watched, since watches there say nothing
   * @param isNew what is in it was not known before, so all of it has changed
   */
  add(folder: string, { isInstead = false, isNew = false } = {}): void {
    const known = this.#folders.get(folder);
    if (known) known.isInstead ||= isInstead;
    if (known || this.#stopped) return;
    const polled: PolledFolder = { seen: new Map(), isInstead, look: null };
    this.#folders.set(folder, polled);
    if (isNew) this.#tell(folder);
    void this.#look(folder, polled, isNew);
    this.#timer ??= setInterval(() => void this.#checkAll(), EVERY_MS).unref();
  }

  /** Resolves when each folder that was added has been looked at, and so all later changes are noticed. */
  async looked(): Promise<void> {
    for (const { look } of this.#folders.values()) await look;
  }

  /** A watch tells of the folder from now on: what has changed since the last look is told, and no more. */
  end(folder: string): void {
    const polled = this.#folders.get(folder);
    if (!polled || polled.isInstead) return;
    this.drop(folder);
    void this.#look(folder, polled, true);
  }

  /** Polls a folder no longer, whatever has changed in it; those in it stay polled. */
  drop(folder: string): void {
    this.#folders.delete(folder);
    if (this.#folders.size === 0) this.#rest();
  }

  /** Ends all polling: a look that is under way tells nothing more, and no folder is added. */
  stop(): void {
    this.#stopped = true;
    this.#rest();
  }

  #rest(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #tell(path: string): void {
    if (!this.#stopped) this.#changed(path);
  }

  async #checkAll(): Promise<void> {
    if (this.#checking) return; // a slow disk: the next tick will do
    this.#checking = true;
    try {
      for (const [folder, polled] of [...this.#folders]) {
        if (polled.look) continue;
        const look = this.#look(folder, polled, true);
        await Promise.race([look, sleep(SLOW_MS, undefined, { ref: false })]);
      }
    } finally {
      this.#checking = false;
    }
  }

  /** Never rejects: a look that fails (a bug) is reported, and the next one is made all the same. */
  #look(folder: string, polled: PolledFolder, notify: boolean): Promise<void> {
    const look = (polled.look ?? Promise.resolve())
      .then(() => this.#check(folder, polled, notify))
      .catch((error: unknown) => console.error("Looking for changes failed:", error))
      .finally(() => {
        if (polled.look === look) polled.look = null;
      });
    polled.look = look;
    return look;
  }

  async #check(folder: string, { seen, isInstead }: PolledFolder, notify: boolean): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map((entry) => entry.name));
    for (const entry of entries) {
      const path = join(/*turbopackIgnore: true*/ folder, entry.name);
      // A folder created in one that cannot be watched has no watch either.
      const isUnknown = entry.isDirectory() && this.#folders.has(folder) && !this.#folders.has(path);
      if (isUnknown && this.#follows(path, isInstead)) this.add(path, { isInstead, isNew: notify });
      if (!entry.isFile() || !isLog(path)) continue;
      const found = await stat(path).catch(() => null);
      // A client writes its registry entry in place, and `busy` is as long as `idle`.
      const mark = found ? `${found.ino}:${found.size}:${found.mtimeMs}` : "gone";
      const isNew = seen.get(entry.name) !== mark;
      seen.set(entry.name, mark);
      if (isNew && notify) this.#tell(path);
    }
    for (const name of seen.keys()) {
      if (names.has(name)) continue;
      seen.delete(name);
      if (notify) this.#tell(join(/*turbopackIgnore: true*/ folder, name));
    }
  }
}
