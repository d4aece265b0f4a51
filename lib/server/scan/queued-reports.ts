import { createHash } from "node:crypto";
import { formatRecordId, type RecordId } from "@/lib/wire/ids";

/**
 * Lines of the queue that contain a notification or a command, by their records' ids. `repeats`: another line contains
 * the same, the one that delivered it or one that queued it before. `waiting`: the others, each after a hash of its
 * text.
 */
export type QueuedReports = { repeats: RecordId[]; waiting: [hash: string, RecordId][] };

/**
 * Finds the lines of the queue that only repeat another line of their log: from 2.1.29 on a notification is logged when
 * it is queued, once or twice (2.1.42), and again when it is delivered; from 2.0.42 on a command, too.
 */
export class ReportQueue {
  readonly #repeats: RecordId[];
  readonly #waiting: Map<string, RecordId>;

  constructor({ repeats, waiting }: QueuedReports = { repeats: [], waiting: [] }) {
    this.#repeats = [...repeats];
    this.#waiting = new Map(waiting);
  }

  /** Takes the next notification or command of a log. `waits`: it is queued here, else delivered. */
  take(file: string, offset: number, { text, waits }: { text: string; waits: boolean }): void {
    const hash = createHash("sha256").update(`${file} ${text}`).digest("base64url").slice(0, 22);
    const queued = this.#waiting.get(hash);
    if (waits && queued === undefined) this.#waiting.set(hash, formatRecordId(file, offset));
    else if (waits) this.#repeats.push(formatRecordId(file, offset));
    else if (queued !== undefined) {
      this.#waiting.delete(hash);
      this.#repeats.push(queued);
    }
  }

  clear(): void {
    this.#repeats.length = 0;
    this.#waiting.clear();
  }

  reports(): QueuedReports {
    return { repeats: [...this.#repeats], waiting: [...this.#waiting] };
  }
}
