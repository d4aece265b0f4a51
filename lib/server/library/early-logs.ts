import { basename } from "node:path";
import { stem } from "@/lib/server/disk/log-names";
import type { ReadFacts } from "./session-draft";

/**
 * Logs without a message that are sessions all the same, since their clients are known to run: a client makes its log most
 * of a second before it writes the first message (2.1.170, 2.1.332).
 */
export class EarlyLogs {
  /** The sessions of clients that run, by their main logs' UUIDs, each with the folder that its client was started in. */
  #running: ReadonlyMap<string, string | null> = new Map();
  /** Of these, the ones whose logs had no message when they were listed last. */
  readonly #listed = new Set<string>();

  /**
   * Names the sessions of clients that run, by their main logs' UUIDs, each with the folder that its client was started in.
   * @returns whether one was listed for that alone, and is none any longer when its folder is listed again
   */
  setRunning(running: ReadonlyMap<string, string | null>): boolean {
    this.#running = running;
    const before = this.#listed.size;
    for (const uuid of this.#listed) if (!running.has(uuid)) this.#listed.delete(uuid);
    return this.#listed.size < before;
  }

  /** Whether the main log of this UUID had no message yet when it was listed last. */
  has(uuid: string): boolean {
    return this.#listed.has(uuid);
  }

  /** What a log is listed by: of a running client's own log that it holds a conversation, in that client's folder. */
  factsOf(path: string, read: ReadFacts): ReadFacts {
    if (this.#running.size === 0) return read;
    const uuid = stem(basename(path));
    const cwd = this.#running.get(uuid);
    if (cwd === undefined || read.facts.hasMessages) {
      this.#listed.delete(uuid);
      return read;
    }
    this.#listed.add(uuid);
    return { ...read, facts: { ...read.facts, hasMessages: true, cwd: read.facts.cwd ?? cwd } };
  }
}
