import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { faultCode } from "@/lib/server/disk/file-fault";

/** What other servers write comes in bursts. */
const BURST_MS = 30;

/** Tells of what is written in a folder that several servers share. */
export class WrittenFolder {
  readonly #path: string;
  readonly #onWritten: () => void;
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  /** @param onWritten called a moment after something was written, by this process too */
  constructor(path: string, onWritten: () => void) {
    this.#path = path;
    this.#onWritten = onWritten;
  }

  /** Watches the folder, if it is there and not watched yet; where it was made anew, the new one. */
  follow(): void {
    if (this.#watcher || this.#isStopped) return;
    const name = basename(this.#path);
    try {
      const watcher = watch(/*turbopackIgnore: true*/ this.#path, { persistent: false }, (event, of) => {
        // By its own name: the folder itself is gone, and this watch tells nothing of another one.
        if (event === "rename" && of === name) this.#unfollow(watcher);
        this.#tell();
      });
      watcher.on("error", () => this.#unfollow(watcher));
      this.#watcher = watcher;
    } catch (error) {
      // Without a watch every request still reads what is new.
      if (faultCode(error) === null) throw error;
    }
  }

  /** Tells nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#watcher?.close();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #unfollow(watcher: FSWatcher): void {
    watcher.close();
    if (this.#watcher === watcher) this.#watcher = null;
  }

  #tell(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#onWritten();
    }, BURST_MS).unref();
  }
}
