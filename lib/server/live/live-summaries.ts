import { dirname } from "node:path";
import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import { Coalescer, type OthersWork } from "@/lib/server/runtime/coalescer";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveReaders } from "./live-readers";
import type { LogPaths } from "./log-paths";

const EVERY_MS = 1_000;
/** To list and index them takes no more than a fifth of the time. */
const REST = 4;

/** What the library shows of the sessions that were written: listed again, indexed, and told to readers. */
export class LiveSummaries {
  readonly #catalog: Catalog;
  readonly #scanner: Scanner;
  readonly #paths: LogPaths;
  readonly #readers: LiveReaders;
  readonly #onMissing: (id: SessionId) => void;
  readonly #written = new Set<SessionId>();
  readonly #updates = new Coalescer(EVERY_MS, (others) => this.#update(others), REST);

  /** @param onMissing called with a session that is listed no more */
  constructor(
    catalog: Catalog,
    scanner: Scanner,
    paths: LogPaths,
    readers: LiveReaders,
    onMissing: (id: SessionId) => void,
  ) {
    this.#catalog = catalog;
    this.#scanner = scanner;
    this.#paths = paths;
    this.#readers = readers;
    this.#onMissing = onMissing;
  }

  /** It was written: the next update, which is asked for apart from that, is of this one too. */
  add(id: SessionId): void {
    this.#written.add(id);
  }

  /** Asks for an update of all that were written. */
  request(): void {
    this.#updates.request();
  }

  /** Begins no other update. */
  stop(): void {
    this.#updates.stop();
  }

  /** Tells readers what the library shows of a session now; of one that is gone, that another set is listed. */
  publish(id: SessionId): void {
    try {
      const summary = this.#catalog.summary(id);
      this.#readers.publish({ kind: "session-changed", sessionId: id, revision: null, summary }, id);
    } catch (error) {
      if (!isViewerError(error)) throw error;
      this.#readers.publish({ kind: "sessions-changed" }, null);
    }
  }

  async #update(others: OthersWork): Promise<void> {
    const ids = [...this.#written];
    this.#written.clear();
    const folders = new Set<string>();
    for (const id of ids) {
      try {
        const folder = dirname(this.#catalog.sessionFiles(id).main.path);
        if (!folders.has(folder)) await this.#catalog.refresh(id);
        folders.add(folder);
      } catch (error) {
        if (!isViewerError(error)) throw error;
        this.#onMissing(id);
      }
    }
    this.#paths.forget();
    // The first reading takes minutes, and to wait for it costs nothing.
    if (this.#scanner.isRunning) await others(this.#scanner.run());
    await this.#scanner.run();
    // None waits for another, whose log may not be given.
    for (const id of ids) this.#tell(id).catch(console.error);
  }

  async #tell(id: SessionId): Promise<void> {
    this.publish(id);
    // Only now is it known which session continues which, and under which title.
    await this.#readers.updateNeighbours(id);
  }
}
