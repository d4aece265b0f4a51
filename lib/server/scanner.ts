import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionId } from "@/lib/wire/ids";
import type { Catalog } from "./catalog/catalog";
import type { SessionFiles } from "./catalog/session-files";
import { titleLine } from "./catalog/session-summary";
import type { LibraryIndex } from "./index/library-index";
import type { SessionFacets } from "./index/session-facets";
import type { StoredEntry, StoredTitles } from "./index/stored-session";
import type { RequestActivity } from "./request-activity";
import type { SessionNumbers } from "./session-queries";
import { LibraryTotals } from "./totals/library-totals";
import { isViewerError } from "./viewer-error";

/** A stream of requests may hold a scan back, never starve it. */
const STEP_ASIDE_MS = 250;

/** While one session is scanned the next one waits at the thread, which then never waits for us. */
const AT_ONCE = 2;

/** Sessions whose part of the totals is taken over before a request gets its turn. */
const AT_A_TIME = 200;

type ScannerIndex = Pick<LibraryIndex, "open" | "shares" | "index" | "verify" | "forget" | "check" | "state">;

type Known = { signature: string; entry: StoredEntry };

/**
 * The second pass: takes over what the index knows, and brings every other session into it, last active
 * first, behind all requests.
 */
export class Scanner {
  readonly #catalog: Catalog;
  readonly #index: ScannerIndex;
  readonly #activity: RequestActivity;
  readonly #known = new Map<SessionId, Known>();
  readonly totals = new LibraryTotals();
  #leftOver: string[] = [];
  #running: Promise<void> | null = null;
  #opening: Promise<StoredEntry[]> | null = null;
  #opened = false;
  #epoch = 0;
  #revision = 0;
  #stopped = false;
  #checking = false;

  constructor(catalog: Catalog, index: ScannerIndex, activity: RequestActivity) {
    this.#catalog = catalog;
    this.#index = index;
    this.#activity = activity;
  }

  /** True while sessions are being scanned. */
  get busy(): boolean {
    return this.#running !== null && !this.#checking;
  }

  /** Grows with every session that is scanned. */
  get revision(): number {
    return this.#revision;
  }

  /** What a query's filters ask about a session; null until it has been scanned. */
  facets(id: SessionId): SessionFacets | null {
    return this.#known.get(id)?.entry.facets ?? null;
  }

  /** How far each log of a session is in the index: bytes by the log's key. Null where there is no index. */
  indexedBytes(id: SessionId): ReadonlyMap<string, number> | null {
    const known = this.#known.get(id);
    if (!known || this.#index.state.path === null) return null;
    return new Map(known.entry.files.map(({ key, bytes }) => [key, bytes]));
  }

  /** Begins to open the index, which takes as long as listing the logs. */
  open(): void {
    this.#opening ??= this.#index.open();
    // Whoever takes over sees the failure.
    this.#opening.catch(() => undefined);
  }

  /** Scans whatever is due, until nothing is. Joins a run under way. */
  run(): Promise<void> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #runAll(): Promise<void> {
    const first = !this.#opened;
    if (first) await this.#takeOver();
    await this.#scanAll();
    // Only now: a log that was renamed takes its old entry along when it is scanned.
    await this.#index.forget(this.#leftOver.splice(0));
    this.#dropGone();
    if (!first || this.#stopped) return;
    this.#checking = true;
    await this.#index.check();
    this.#checking = false;
    await this.#scanAll();
  }

  /** Sessions whose files are what the index says are complete at once, and are looked at more closely after. */
  async #takeOver(): Promise<void> {
    this.#opened = true;
    this.open();
    const opened = (await this.#opening) ?? [];
    this.#opening = null;
    const entries = new Map(opened.map((entry) => [entry.files[0]?.path ?? "", entry]));
    this.#epoch = this.#index.state.epoch;
    const taken: SessionFiles[] = [];
    for (const { id } of this.#catalog.summaries()) {
      const files = this.#catalog.sessionFiles(id);
      const entry = entries.get(files.main.path);
      entries.delete(files.main.path);
      if (!entry || !isSame(entry, files)) continue;
      this.#take(files, entry);
      taken.push(files);
    }
    this.#leftOver = [...entries.keys()];
    await this.#takeShares(taken);
    const stale = new Set(
      await this.#index.verify(taken.map(({ main, root }) => ({ path: main.path, root }))),
    );
    for (const files of taken) if (stale.has(files.main.path)) this.#known.delete(files.id);
  }

  /** A session whose share is damaged is read again. */
  async #takeShares(taken: readonly SessionFiles[]): Promise<void> {
    const shares = new Map((await this.#index.shares()).map(({ path, share }) => [path, share]));
    for (const [at, { id, main }] of taken.entries()) {
      // A library of half a million messages takes half a second.
      if (at % AT_A_TIME === AT_A_TIME - 1) await nextTurn();
      const share = shares.get(main.path);
      if (share) this.totals.put(id, share);
      else this.#known.delete(id);
    }
  }

  #take(files: SessionFiles, entry: StoredEntry): void {
    this.#revision += 1;
    this.#known.set(files.id, { signature: signatureOf(files), entry });
    this.#catalog.setNumbers(files.id, { ...entry.numbers, ...titleOf(entry.titles) }, bytesOf(files));
  }

  async #scanAll(): Promise<void> {
    for (let due = this.#due(); due.length > 0 && !this.#stopped; due = this.#due()) {
      const ids = due.values();
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#scanFrom(ids)));
    }
  }

  async #scanFrom(ids: Iterator<SessionId> & Iterable<SessionId>): Promise<void> {
    for (const id of ids) {
      await nextTurn();
      await this.#activity.quiet(STEP_ASIDE_MS);
      if (this.#stopped) return;
      await this.#scan(id);
    }
  }

  /** What has never been read, has changed since, or was in an index that had to be thrown away. */
  #due(): SessionId[] {
    if (this.#index.state.epoch !== this.#epoch) {
      this.#epoch = this.#index.state.epoch;
      this.#known.clear();
    }
    const due = new Set(this.#catalog.due());
    const changed = this.#catalog.summaries().filter(({ id, problem }) => {
      if (due.has(id) || problem !== null) return false;
      return this.#known.get(id)?.signature !== signatureOf(this.#catalog.sessionFiles(id));
    });
    changed.sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
    return [...due, ...changed.map(({ id }) => id)];
  }

  #dropGone(): void {
    const listed = new Set(this.#catalog.summaries().map(({ id }) => id));
    for (const id of this.#known.keys()) if (!listed.has(id)) this.#known.delete(id);
    this.totals.keepOnly(listed);
  }

  async #scan(id: SessionId): Promise<void> {
    try {
      // Taken before the scan: what is appended meanwhile makes the session due again.
      const files = this.#catalog.sessionFiles(id);
      const { entry, share } = await this.#index.index(files);
      this.totals.put(id, share);
      this.#take(files, entry);
    } catch (error) {
      const shown = isViewerError(error)
        ? { code: error.code, message: error.message, hint: error.hint }
        : {
            code: "scan-failed",
            message: "Backscroll failed to scan this session",
            hint: "This is a bug. The terminal that runs Backscroll shows where.",
          };
      // A bug that one session shows must not keep the others from being scanned.
      if (!isViewerError(error)) console.error(error);
      this.#catalog.setProblem(id, shown);
    }
  }
}

/** A person's own title wins over a generated one. Without either the first pass's stays. */
function titleOf({ custom, ai }: StoredTitles): Pick<SessionNumbers, "title" | "titleSource"> {
  const title = titleLine(custom ?? ai ?? "");
  return title === "" ? {} : { title, titleSource: custom === null ? "ai" : "custom" };
}

function bytesOf({ main, agents }: SessionFiles): number {
  return agents.reduce((sum, agent) => sum + agent.bytes, main.bytes);
}

/** Changes whenever any of the files does. */
function signatureOf({ main, agents }: SessionFiles): string {
  return [main, ...agents]
    .map(({ path, dev, ino, bytes, mtimeMs }) => `${path} ${dev} ${ino} ${bytes} ${mtimeMs}`)
    .join("\n");
}

/** True if the files look like those that were indexed; whether they are is for their hashes to say. */
function isSame(entry: StoredEntry, { main, agents }: SessionFiles): boolean {
  const listed = [main, ...agents];
  if (listed.length !== entry.files.length || entry.unread.length > 0) return false;
  return listed.every(({ path, dev, ino, bytes }, at) => {
    const file = entry.files[at];
    return file?.path === path && file.dev === dev && file.ino === ino && file.size === bytes;
  });
}
