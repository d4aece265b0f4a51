import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const EVERY_MS = 2_000;

/** Looks at folders that cannot be watched, every 2 s, for files that came, grew, shrank or went. */
export class FolderPoll {
  readonly #changed: (path: string) => void;
  readonly #folders = new Map<string, Map<string, string>>();
  #timer: NodeJS.Timeout | null = null;
  #looking = false;

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
    void this.#look(folder, seen, false);
    this.#timer ??= setInterval(() => void this.#lookAtAll(), EVERY_MS).unref();
  }

  drop(folder: string): void {
    this.#folders.delete(folder);
    if (this.#folders.size === 0) this.stop();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #lookAtAll(): Promise<void> {
    if (this.#looking) return; // a slow disk: the next tick will do
    this.#looking = true;
    for (const [folder, seen] of this.#folders) await this.#look(folder, seen, true);
    this.#looking = false;
  }

  async #look(folder: string, seen: Map<string, string>, tell: boolean): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map((entry) => entry.name));
    for (const entry of entries) {
      const path = join(/*turbopackIgnore: true*/ folder, entry.name);
      // A folder made below one that cannot be watched has no watch either.
      if (entry.isDirectory() && !this.#folders.has(path)) this.add(path);
      if (!entry.isFile() || !/\.(jsonl|json)\b/i.test(entry.name)) continue;
      const found = await stat(path).catch(() => null);
      const mark = found ? `${found.ino}:${found.size}` : "gone";
      const isNew = seen.get(entry.name) !== mark;
      seen.set(entry.name, mark);
      if (isNew && tell) this.#changed(path);
    }
    for (const name of seen.keys()) {
      if (names.has(name)) continue;
      seen.delete(name);
      if (tell) this.#changed(join(/*turbopackIgnore: true*/ folder, name));
    }
  }
}
