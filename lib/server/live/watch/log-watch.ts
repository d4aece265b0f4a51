import { dirname, join } from "node:path";
import { Coalescer } from "@/lib/server/runtime/coalescer";
import type { RootFolder } from "@/lib/server/runtime/config";
import { ReplacedRoots } from "./replaced-roots";
import { RootWatcher } from "./root-watcher";
import { UnseenGrowth } from "./unseen-growth";
import { watchedRoots } from "./watched-roots";

/** How often the roots themselves are looked at. */
const ROOTS_EVERY_MS = 2_000;

/**
 * Watches the folders of all roots for as long as it is not stopped: it sets the watches again where a root came or went,
 * and polls a folder whose watch turns out to tell nothing.
 */
export class LogWatch {
  readonly #roots: readonly RootFolder[];
  readonly #written: (path: string) => void;
  readonly #rewatched: () => void;
  readonly #replaced: ReplacedRoots;
  readonly #growth = new UnseenGrowth();
  readonly #histories = new Set<string>();
  readonly #rewatching = new Coalescer(0, () => this.#watchReplaced());
  #watcher: RootWatcher;
  #timer: NodeJS.Timeout | null = null;
  #isSilent = false;
  #stopped = false;

  /**
   * @param written told of each file or folder that may have changed
   * @param rewatched called when watches were set again: of what was written to these roots before that, nothing was told
   */
  constructor(roots: readonly RootFolder[], written: (path: string) => void, rewatched: () => void) {
    this.#roots = roots;
    this.#written = written;
    this.#rewatched = rewatched;
    this.#replaced = new ReplacedRoots(roots);
    this.#watcher = this.#newWatcher();
  }

  /** Resolves when every folder that exists is watched or polled. */
  async start(): Promise<void> {
    await this.#watch();
    if (this.#stopped) return;
    this.#timer = setInterval(() => this.#rewatching.request(), ROOTS_EVERY_MS).unref();
  }

  /** How many folders are watched, and how many of them are polled since the system has no watch left for them. */
  get coverage(): { folders: number; polled: number } {
    return this.#watcher.coverage;
  }

  /** A log was found that grows without events: of what else lies on its disk nothing may be told. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** True for a client's history of prompts, which is no log though it is named like one. */
  isHistory(path: string): boolean {
    return this.#histories.has(path);
  }

  /**
   * Compares the sizes of logs with those of the last call, and polls the folder of each that changed again and again with
   * no event: some file systems grant watches but send none.
   * @param sizes in bytes, by path
   * @returns `doubted`: logs that have changed without an event for the first time; `untold`: those whose folders are polled
   */
  compareSizes(sizes: ReadonlyMap<string, number>): { doubted: string[]; untold: string[] } {
    const compared = this.#growth.look(sizes);
    for (const path of compared.untold) this.#watcher.pollInstead(dirname(path));
    this.#isSilent ||= compared.untold.length > 0;
    return compared;
  }

  /** Ends all watches and polls, those too that are being set. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#rewatching.stop();
    void this.#watcher.stop();
  }

  #newWatcher(): RootWatcher {
    return new RootWatcher((path) => {
      this.#growth.told(path);
      this.#written(path);
    });
  }

  async #watch(): Promise<void> {
    // Looked at first: one that is replaced meanwhile is watched again.
    await this.#replaced.look();
    const roots = await watchedRoots(this.#roots);
    if (this.#stopped) return;
    for (const folder of roots.configs)
      this.#histories.add(join(/*turbopackIgnore: true*/ folder, "history.jsonl"));
    await this.#watcher.start(roots);
  }

  async #watchReplaced(): Promise<void> {
    if (!(await this.#replaced.look()) || this.#stopped) return;
    await this.#watcher.stop();
    this.#watcher = this.#newWatcher();
    await this.#watch();
    if (!this.#stopped) this.#rewatched();
  }
}
