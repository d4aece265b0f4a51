import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { asObject } from "@/lib/log/records/json";
import { archiveData } from "@/lib/server/archive/archived-files";
import { faultCode } from "@/lib/server/disk/file-fault";
import { isUuid } from "@/lib/server/disk/log-names";
import { findOriginals } from "@/lib/server/extras/original-files";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Surroundings } from "@/lib/server/library/session-files";
import { pidNamespace } from "@/lib/server/runtime/pid-namespace";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";
import { type LeftOut, SHARE_TIMES } from "@/lib/wire/shares";
import type { CopySource } from "./copy-source";
import type { AskCopies, CopyAnswer, CopyTask } from "./copy-task";
import type { CopyRules } from "./session-copy";

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
const REGISTRY_NAME = /^\d+\.json$/;

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

/** The files that are a session's own. Null where it is gone. */
async function sourcesOf(catalog: Catalog, id: SessionId): Promise<CopySource[] | null> {
  try {
    const files = await catalog.refresh(id);
    const around = catalog.surroundings(id);
    const keys = new Map([files.main, ...files.agents].map(({ path, key }) => [path, key]));
    const originals = await findOriginals(files, around);
    const sources = originals.map((file) => ({
      ...file,
      place: placeIn(file.place, around.stem, id),
      key: keys.get(file.path) ?? null,
    }));
    // Agents first: a call's row is drawn with what its agent did.
    sources.sort((a, b) => Number(a.key === files.main.key) - Number(b.key === files.main.key));
    return [...sources, ...(await registered(around))];
  } catch (error) {
    if (isViewerError(error) && error.code === "session-not-found") return null;
    throw error;
  }
}

/**
 * The path of a file in the copy. A log with any other name gets a UUID there: otherwise the session's id would depend
 * on the copy's folder, and a link would be broken once another server has made the copy again.
 */
function placeIn(place: string, stem: string, id: SessionId): string {
  if (isUuid(stem)) return place;
  const hash = createHash("sha256").update(id).digest("hex");
  const name = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 16),
    hash.slice(16, 20),
    hash.slice(20, 32),
  ].join("-");
  return place
    .split("/")
    .map((part) => (part === stem ? name : part === `${stem}.jsonl` ? `${name}.jsonl` : part))
    .join("/");
}

/** The entries of running clients that name this session. */
async function registered({ configRoot, stem }: Surroundings): Promise<CopySource[]> {
  if (configRoot === null) return [];
  const folder = await realpath(join(/*turbopackIgnore: true*/ configRoot, "sessions")).catch(unlessFault);
  const names = folder === null ? null : await readdir(/*turbopackIgnore: true*/ folder).catch(unlessFault);
  if (folder === null || names === null) return [];
  const sources = await Promise.all(
    names
      .filter((name) => REGISTRY_NAME.test(name))
      .map(async (name) => {
        const path = join(/*turbopackIgnore: true*/ folder, name);
        const runs = await sessionOf(path).catch(unlessFault);
        return runs === stem ? [{ root: folder, path, place: `sessions/${name}`, key: null }] : [];
      }),
  );
  return sources.flat();
}

/** The session that an entry names. Throws a SyntaxError for one that is being written, and the system's errors. */
async function sessionOf(path: string): Promise<unknown> {
  return asObject(JSON.parse(await readFile(/*turbopackIgnore: true*/ path, "utf8")))?.sessionId;
}

/** No entry, or one that is being written: the next look finds it. */
function unlessFault(error: unknown): null {
  if (error instanceof SyntaxError || faultCode(error) !== null) return null;
  throw error;
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

const FOLDER_START = "backscroll-shares-";

/** A folder for this server's copies, which goes with the process. */
export function makeCopiesFolder(): string {
  // Windows may call the temporary folder by short names (`C:\Users\LONGUS~1\…`), which the copies' own library does not.
  const folder = realpathSync.native(
    mkdtempSync(join(tmpdir(), `${FOLDER_START}${process.pid}${ofNamespace()}-`)),
  );
  // A thread may still have a file open: then the next server removes it.
  process.once("exit", () => unlessRefused(() => rmSync(folder, { recursive: true, force: true })));
  return folder;
}

/** Containers that share a temporary folder do not see each other's processes. */
function ofNamespace(): string {
  const namespace = pidNamespace();
  return namespace === null ? "" : `.${namespace}`;
}

/** Removes the copies of servers that were killed, as far as they are this user's. */
export function removeLeftCopies(): void {
  for (const name of unlessRefused(() => readdirSync(tmpdir())) ?? []) {
    const [, pid, namespace = ""] = new RegExp(`^${FOLDER_START}(\\d+)(\\.\\d+)?-`).exec(name) ?? [];
    if (pid === undefined) continue;
    const folder = join(tmpdir(), name);
    const isKilled = namespace === ofNamespace() && !isRunning(Number(pid));
    if (isKilled || isForgotten(folder))
      unlessRefused(() => rmSync(folder, { recursive: true, force: true }));
  }
}

/**
 * No link whose copy was ever made in this folder is valid any more. That tells a killed server's in another container, of
 * which every start may be another one, or where another process has its pid by now.
 */
function isForgotten(folder: string): boolean {
  const changedMs = unlessRefused(() => statSync(folder))?.mtimeMs ?? Date.now();
  return Date.now() - changedMs > SHARE_TIMES.most;
}

function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    return unlessFault(error);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return faultCode(error) !== "ESRCH";
  }
}
