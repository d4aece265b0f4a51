import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { Config } from "@/lib/server/runtime/config";
import { requestCount } from "@/lib/server/runtime/slices";
import { hasThreadPriorities } from "@/lib/server/runtime/thread-priority";
import { isThreadNotStarted } from "@/lib/server/runtime/thread-starts";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { ArchiveResponse, ArchiveSettings } from "@/lib/wire/archive";
import type { Health } from "@/lib/wire/library";
import { readArchiveSettings, writeArchiveSettings } from "./archive-settings";
import {
  type ArchiveAnswer,
  type ArchiveNews,
  type ArchiveProgress,
  type ArchiveStart,
  type ArchiveStatus,
  type ArchiveTask,
  ArchiveWorker,
} from "./archive-task";
import { KeptListing } from "./kept-listing";

/** Lines that are written within this time are kept together. */
const BATCH_MS = 1_000;
/** After a write, files that no watch reports (todos, tool results) are checked after this time. */
const LOOK_AFTER_MS = 20_000;
/** Everything is checked this often, even if nothing seemed to change. */
const LOOK_EVERY_MS = 600_000;
/** Checking a hundred thousand files takes no more than a twentieth of a core. */
const LOOK_REST = 20;
/** A full disk is not empty in a moment; each further attempt waits twice as long. */
const RETRY_MS = 30_000;
const MAX_RETRY_MS = 600_000;
/** Starting the thread again means reading what is kept again. */
const IDLE_MS = 120_000;

/**
 * With a low thread priority, keeping only uses what the first reading leaves of the cores. With two cores nothing is
 * left: alongside the reading, that took a fifth longer, and afterwards everything is kept a twentieth later (256 MB).
 */
export const READING_LEAVES_A_CORE = hasThreadPriorities && availableParallelism() > 2;

const REGISTRY = /[\\/]sessions[\\/]\d+\.json$/;

type Times = { batchMs: number; lookAfterMs: number; retryMs: number };

/** Does the tasks: in the server a worker thread, in tests an ArchiveWorker. */
type Ask = (task: ArchiveTask, tell: (news: ArchiveNews) => void) => Promise<ArchiveAnswer>;

/** Keeps everything that is read of the logs in the archive, in the background. Without a folder it keeps nothing. */
export class LogArchive {
  readonly folder: string | null;
  /** The kept files, as far as its thread has reported them. */
  readonly listing = new KeptListing();
  readonly #ask: Ask | null;
  readonly #times: Times;
  readonly #touched = new Set<string>();
  #batch: NodeJS.Timeout | null = null;
  #look: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #retryMs: number;
  #lookAtMs = 0;
  #lookTookMs = 0;
  #lookDue = false;
  #looking = false;
  /** Everything was checked once. */
  #isFilled = false;
  #noteFilled: () => void = () => undefined;
  readonly #filled = new Promise<void>((resolve) => {
    this.#noteFilled = resolve;
  });
  #keeping = false;
  #status: ArchiveStatus | null = null;
  /** Why its thread could not be started for what was to be kept. */
  #startFault: ViewerError | null = null;
  #filling: ArchiveProgress | null = null;
  #stopped = false;

  constructor(folder: string | null, ask: Ask | null, times: Partial<Times> = {}) {
    this.folder = folder;
    this.#ask = folder === null ? null : ask;
    this.#times = { batchMs: BATCH_MS, lookAfterMs: LOOK_AFTER_MS, retryMs: RETRY_MS, ...times };
    this.#retryMs = this.#times.retryMs;
  }

  /** The warnings that readers see: the same problems, each as long as it lasts. */
  get warnings(): Health["warnings"] {
    const told = (this.#status?.problems ?? []).filter(({ code }) => code !== "archive-unread");
    return this.#startFault ? [...told, notKept(this.#startFault)] : told;
  }

  /**
   * Begins to keep. Readers wait for the index, and nobody waits for this. Resolves when everything was checked once,
   * which may be never.
   * @param listing ends when it is known which logs there are, `reading` when they have been read, even if it failed
   */
  begin(listing: Promise<unknown>, reading: Promise<unknown>): Promise<void> {
    if (this.#ask) this.#filling = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0 };
    const free = READING_LEAVES_A_CORE ? listing : reading;
    void free.catch(() => undefined).then(() => this.fill());
    return this.#filled;
  }

  /** Keeps everything that is not kept yet, and repeats this by itself from then on. */
  fill(): void {
    if (!this.#ask) return;
    this.#lookDue = true;
    this.#next();
  }

  /** This file may have changed: its new part is kept within seconds. */
  touch(path: string): void {
    // Clients update their registration every few seconds.
    if (!this.#ask || this.#stopped || REGISTRY.test(path)) return;
    this.#touched.add(path);
    this.#batch ??= setTimeout(() => {
      this.#batch = null;
      this.#next();
    }, this.#times.batchMs).unref();
    this.#lookLater(this.#times.lookAfterMs);
  }

  /** Resolves when `listing` contains everything that was kept until now, or turned out to be unreadable. */
  async listed(): Promise<void> {
    try {
      if (this.#ask) this.#status = await this.#do({ kind: "list" });
    } catch (error) {
      if (!this.#stopped && !isThreadNotStarted(error)) console.error("Listing what is kept failed:", error);
    }
  }

  /** What is kept, as the keeping thread knows it now. Rejects with the system's errors. */
  async status(): Promise<ArchiveResponse> {
    if (!this.#ask) return NO_ARCHIVE;
    this.#status = await this.#do({ kind: "status" });
    const { failed: _, ...status } = this.#status;
    return { ...status, path: this.folder, filling: this.#filling };
  }

  /** Throws `no-archive`, and the system's errors. */
  settings(): ArchiveSettings {
    return readArchiveSettings(this.#needFolder());
  }

  /** Rules for what is kept from now on. Throws `no-archive`, and `archive-unwritable`. */
  saveSettings(settings: ArchiveSettings): ArchiveSettings {
    const folder = this.#needFolder();
    try {
      writeArchiveSettings(folder, settings);
    } catch (cause) {
      if (faultCode(cause) === null) throw cause;
      throw new ViewerError("archive-unwritable", "The archive’s folder cannot be written", {
        status: 409,
        path: folder,
        hint: "Check its disk, and who may write it.",
        cause,
      });
    }
    this.fill();
    return settings;
  }

  /** The rest is kept after the next start. */
  stop(): void {
    this.#stopped = true;
    for (const timer of [this.#batch, this.#look, this.#retry]) if (timer) clearTimeout(timer);
  }

  #needFolder(): string {
    if (this.folder !== null) return this.folder;
    throw new ViewerError("no-archive", "Nothing is kept: Backscroll runs without an archive", {
      status: 409,
      hint: "Start it without --no-archive and --demo.",
    });
  }

  #lookLater(waitMs: number): void {
    const afterMs = Math.max(waitMs, LOOK_REST * this.#lookTookMs);
    const atMs = performance.now() + afterMs;
    if (this.#look && this.#lookAtMs <= atMs) return;
    if (this.#look) clearTimeout(this.#look);
    this.#lookAtMs = atMs;
    this.#look = setTimeout(() => {
      this.#look = null;
      this.fill();
    }, afterMs).unref();
  }

  /** Asks for what is due: new lines also while everything is being checked. */
  #next(): void {
    if (this.#stopped || this.#retry || !this.#ask) return;
    if (this.#lookDue && !this.#looking) {
      this.#lookDue = false;
      this.#looking = true;
      void this.#keep(null).finally(() => {
        this.#looking = false;
        this.#filling = null;
        this.#next();
      });
    }
    if (this.#touched.size > 0 && !this.#keeping) {
      const paths = [...this.#touched];
      this.#touched.clear();
      this.#keeping = true;
      void this.#keep(paths).finally(() => {
        this.#keeping = false;
        this.#next();
      });
    }
  }

  async #keep(paths: readonly string[] | null): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const isFirst = paths === null && !this.#isFilled;
      const status = await this.#do({ kind: "keep", paths }, (progress) => {
        if (isFirst) this.#filling = progress;
      });
      this.#status = status;
      this.#startFault = null;
      if (status.failed) return this.#tryLater();
      this.#retryMs = this.#times.retryMs;
      if (paths !== null) return;
      // The first check keeps everything, and its duration says nothing about the next ones.
      if (this.#isFilled) this.#lookTookMs = performance.now() - startedAtMs;
      this.#isFilled = true;
      this.#noteFilled();
      this.#lookLater(LOOK_EVERY_MS);
    } catch (error) {
      // A server that stops ends its thread wherever it is.
      if (this.#stopped) return;
      if (isThreadNotStarted(error)) this.#startFault = error;
      else console.error("Keeping the logs failed:", error);
      this.#tryLater();
    }
  }

  async #do(task: ArchiveTask, tell: (progress: ArchiveProgress) => void = () => {}): Promise<ArchiveStatus> {
    if (!this.#ask) throw new Error("There is no archive");
    const { status, kept } = await this.#ask(task, ({ progress, kept }) => {
      this.listing.take(kept);
      tell(progress);
    });
    this.listing.take(kept);
    return status;
  }

  /** After a failure everything is checked, so the touched files need not be remembered. */
  #tryLater(): void {
    this.#lookDue = true;
    this.#touched.clear();
    if (this.#stopped || this.#retry) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#next();
    }, this.#retryMs).unref();
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
  }
}

function notKept({ message, hint }: ViewerError): Health["warnings"][number] {
  return { code: "archive-waiting", message: `New lines are not kept in the archive: ${message}`, hint };
}

const NO_ARCHIVE: ArchiveResponse = {
  enabled: false,
  path: null,
  files: 0,
  bytes: 0,
  storedBytes: 0,
  keptOnly: 0,
  lastKeptAtMs: null,
  problems: [],
  filling: null,
};

/** The archive of a server, in a thread of its own. */
export function startLogArchive({ archiveDir: folder, roots }: Config): LogArchive {
  if (folder === null) return new LogArchive(null, null);
  const thread = new WorkerThread<ArchiveTask, ArchiveAnswer, ArchiveNews>(
    () =>
      new Worker(new URL("./archive.worker.ts", import.meta.url), {
        workerData: { folder, roots, requests: requestCount } satisfies ArchiveStart,
        resourceLimits: { maxYoungGenerationSizeMb: 4 },
      }),
    { idleMs: () => IDLE_MS },
  );
  return new LogArchive(folder, (task, tell) => thread.ask(task, tell));
}

/**
 * The same in this thread, for tests.
 * @param times how long it waits for further changes
 */
export function openLogArchive(
  folder: string,
  roots: Config["roots"],
  times: Partial<Times> = {},
): LogArchive {
  const worker = new ArchiveWorker({ folder, roots });
  const ask: Ask = async (task, tell) => {
    const status = await worker.do(task, (progress) => tell({ progress, kept: worker.takeNews() }));
    return { status, kept: worker.takeNews() };
  };
  return new LogArchive(folder, ask, times);
}
