import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { archiveData } from "@/lib/server/archive/archived-files";
import type { Catalog } from "@/lib/server/library/catalog";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";
import type { LeftOut } from "@/lib/wire/shares";
import type { CopyRules } from "./copy-redaction";
import type { AskCopies, CopyAnswer, CopyTask } from "./copy-task";
import { sourcesOf } from "./session-sources";

/**
 * A session that is copied, with `rules` for what is replaced in it, or unchanged, and without what is `leftOut`. The copy
 * is in its `copyFolderOf`.
 */
export type CopiedSession = {
  id: string;
  sessionId: SessionId;
  folder: string;
  rules: CopyRules | null;
  leftOut: readonly LeftOut[];
};

/** The folder of the copy inside a share's own folder. */
export function copyFolderOf(folder: string): string {
  return join(folder, "logs");
}

type Following = {
  stem: string;
  busy: Promise<void> | null;
  again: boolean;
  lookedAtMs: number;
  /** Why the last attempt to renew the copy failed. */
  fault: unknown;
};

/** The file in which a running client registers itself. */
const REGISTRY = /[\\/]sessions[\\/]\d+\.json$/;

/** Keeps copies of sessions up to date. Changes that come together are copied together. */
export class CopyFollower {
  readonly #catalog: Catalog;
  readonly #ask: AskCopies;
  readonly #ownPatterns: () => Promise<string[]>;
  readonly #times: { batchMs: number; lookEveryMs: number };
  readonly #faultsChanged: (faults: unknown[]) => void;
  readonly #followed = new Map<CopiedSession, Following>();
  readonly #touched = new Set<CopiedSession>();
  #batched = false;

  /**
   * @param ownPatterns the user's, which may change while a copy is read
   * @param faultsChanged told why copies stand still, when that changes
   */
  constructor(
    catalog: Catalog,
    ask: AskCopies,
    ownPatterns: () => Promise<string[]>,
    times: { batchMs: number; lookEveryMs: number },
    faultsChanged: (faults: unknown[]) => void = () => undefined,
  ) {
    this.#catalog = catalog;
    this.#ask = ask;
    this.#ownPatterns = ownPatterns;
    this.#times = times;
    this.#faultsChanged = faultsChanged;
  }

  /** Makes a copy and follows its session from now on. Throws `session-not-found`, and the system's errors. */
  async follow(copied: CopiedSession): Promise<void> {
    const { stem } = this.#catalog.surroundings(copied.sessionId);
    const following: Following = {
      stem,
      busy: null,
      again: false,
      lookedAtMs: performance.now(),
      fault: null,
    };
    this.#followed.set(copied, following);
    try {
      await this.#update(copied, following);
    } catch (error) {
      this.#followed.delete(copied);
      throw error;
    }
  }

  /** Removes a copy, when its reader has ended: the reader's index is beside it. Resolves when it is gone. */
  async drop(copied: CopiedSession, ended: Promise<unknown>): Promise<void> {
    const following = this.#followed.get(copied);
    this.#followed.delete(copied);
    if (following?.fault) this.#tellFaults();
    const { id, folder } = copied;
    // After what is being written into it.
    const copying = following?.busy?.catch(() => undefined);
    await Promise.all([copying, ended]);
    try {
      await this.#ask({ kind: "remove", id, folder });
    } catch (error) {
      report(error);
    }
  }

  /** Something may have been written at this path. */
  touch(path: string): void {
    for (const [copied, { stem }] of this.#followed)
      if (path.includes(stem) || REGISTRY.test(path)) this.#touched.add(copied);
    if (this.#touched.size === 0) return;
    if (this.#batched) return;
    this.#batched = true;
    setTimeout(() => {
      this.#batched = false;
      for (const copied of this.#touched) this.#renew(copied);
      this.#touched.clear();
    }, this.#times.batchMs).unref();
  }

  /** Looks for changes that no watch reports, unless it has just done so. */
  look(copied: CopiedSession): void {
    const following = this.#followed.get(copied);
    if (!following || performance.now() - following.lookedAtMs < this.#times.lookEveryMs) return;
    this.#renew(copied);
  }

  #renew(copied: CopiedSession): void {
    const following = this.#followed.get(copied);
    if (following?.busy) following.again = true;
    else if (following)
      void this.#update(copied, following).then(
        () => this.#noteFault(following, null),
        (error: unknown) => this.#noteFault(following, error),
      );
  }

  /** It is retried every few seconds, and reported once. */
  #noteFault(following: Following, fault: unknown): void {
    if (String(fault) === String(following.fault)) return;
    following.fault = fault;
    if (fault !== null) report(fault);
    this.#tellFaults();
  }

  #tellFaults(): void {
    this.#faultsChanged([...this.#followed.values()].flatMap(({ fault }) => fault ?? []));
  }

  async #update(copied: CopiedSession, following: Following): Promise<void> {
    following.busy = this.#updateOnce(copied, following);
    try {
      await following.busy;
    } finally {
      following.busy = null;
    }
    if (!following.again) return;
    following.again = false;
    this.#renew(copied);
  }

  async #updateOnce(
    { id, sessionId, folder, rules, leftOut }: CopiedSession,
    following: Following,
  ): Promise<void> {
    following.lookedAtMs = performance.now();
    const own = rules && { ...rules, own: await this.#ownPatterns() };
    const sources = await sourcesOf(this.#catalog, sessionId);
    // A session that is gone keeps its copy as it is: its pages just get no more lines.
    if (sources)
      await this.#ask({ kind: "update", id, folder: copyFolderOf(folder), rules: own, leftOut, sources });
  }
}

function report(error: unknown): void {
  console.error("The copy of a shared session could not be renewed:", error);
}

/** The code of the warning that readers of links see nothing new. */
export const SHARE_STANDS_STILL = "share-stands-still";

/** Why the readers of a link see nothing new: the warning for the owner about what `CopyFollower` reports. */
export function standsStill(fault: unknown): Warning {
  const message = "What is written now does not reach who reads a session by a link";
  if (!isViewerError(fault))
    return { code: SHARE_STANDS_STILL, message, hint: "The terminal that runs Backscroll shows why." };
  const { path, hint } = fault;
  return {
    ...{ code: SHARE_STANDS_STILL, message: `${message}: ${fault.message}`, hint },
    ...(path === undefined ? {} : { path }),
  };
}

/** A thread that writes the copies. It ends when nothing was written for long; later copies are made from scratch. */
export function startCopyThread(): AskCopies {
  const thread = new WorkerThread<CopyTask, CopyAnswer, never>(
    () => new Worker(new URL("./copy.worker.ts", import.meta.url), { workerData: archiveData() }),
    { idleMs: () => REST_MS },
  );
  return (task) => thread.ask(task);
}

const REST_MS = 3_600_000;
