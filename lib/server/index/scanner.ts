import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { SaveLater } from "@/lib/server/runtime/save-later";
import { nextSlice, type RequestActivity } from "@/lib/server/runtime/slices";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import type { SessionId } from "@/lib/wire/ids";
import type { LibraryIndex } from "./library-index";
import { scanAhead } from "./scan-ahead";
import { DueSessions, ScannedLibrary } from "./scanned-library";

/** A stream of requests may delay a scan, but never stop it. */
const STEP_ASIDE_MS = 250;

/** When everything listed has been scanned, it waits this long for more. */
const AWAIT_MORE_MS = 200;
const AWAIT_FIRST_MS = 20;

/** Looking through a large index takes a second of a core. */
const DISTRUST_EVERY_MS = 30_000;

type ScannerIndex = Omit<LibraryIndex, "stop">;

/**
 * The second pass: takes over what the index contains, and brings every other session into it, last active first, after
 * all requests.
 */
export class Scanner {
  readonly #catalog: Catalog;
  readonly #index: ScannerIndex;
  readonly #activity: RequestActivity;
  readonly #scanned: ScannedLibrary;
  readonly #due: DueSessions;
  readonly #queue = new ScanQueue();
  readonly #later: SaveLater;
  readonly #again: SaveLater;
  /** Sessions that were being read when a thread ended. They are read one at a time, to see which of them ends it. */
  #interrupted: SessionId[] = [];
  #takeover: IndexRestore | null = null;
  #running: Promise<void> | null = null;
  #opened = false;
  #stopped = false;
  #checking = false;
  #distrustedAtMs = Number.NEGATIVE_INFINITY;

  /** @param saveAfterMs the first delay before what could not be saved, or not be read for now, is tried again */
  constructor(catalog: Catalog, index: ScannerIndex, activity: RequestActivity, saveAfterMs?: number) {
    this.#catalog = catalog;
    this.#index = index;
    this.#activity = activity;
    this.#scanned = new ScannedLibrary(catalog, index);
    this.#due = new DueSessions(catalog, index, this.#scanned.read);
    this.#later = new SaveLater(() => this.#saveUnsaved(), saveAfterMs);
    this.#again = new SaveLater(() => this.#scanPassing(), saveAfterMs);
  }

  /** True while sessions are being scanned. */
  get busy(): boolean {
    return this.#running !== null && !this.#checking;
  }

  /** True while a run is in progress, whatever it does: `run` joins it. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Grows with every session that is scanned. */
  get revision(): number {
    return this.#scanned.revision;
  }

  /** Totals of the sessions that have been scanned by now. */
  get totals(): LibraryTotals {
    return this.#scanned.totals;
  }

  /** What a query's filters ask about a session; null until it has been scanned. */
  facets(id: SessionId): SessionFacets | null {
    return this.#scanned.facets(id);
  }

  /** How far each log of a session has been scanned: bytes by the log's key. Null until it has been. */
  scannedBytes(id: SessionId): ReadonlyMap<string, number> | null {
    return this.#scanned.scannedBytes(id);
  }

  /** How far each log of a session is in the index: bytes by the log's key. Null where there is no index. */
  indexedBytes(id: SessionId): ReadonlyMap<string, number> | null {
    return this.#scanned.indexedBytes(id);
  }

  /** The first run, beside a listing: sessions are taken over or scanned as they are listed. */
  begin(listing: Promise<void>): Promise<void> {
    this.#running ??= this.#runFirst(listing).finally(() => this.#rest());
    return this.#running;
  }

  /** Scans whatever is due, until nothing is. Joins a run under way. */
  run(): Promise<void> {
    if (!this.#opened) return this.begin(Promise.resolve());
    this.#running ??= this.#runAgain().finally(() => this.#rest());
    return this.#running;
  }

  /** A reader has opened the session of this main log: if it is due, it is scanned next. */
  prefer(mainPath: string): void {
    if (!this.busy) return;
    const wanted = this.#catalog.summaries().find(({ id }) => {
      return this.#catalog.sessionFiles(id).main.path === mainPath;
    });
    if (wanted) this.#queue.prefer(wanted.id);
  }

  /** Begins no other session. What is being scanned goes on to its end. */
  stop(): void {
    this.#stopped = true;
    this.#later.stop();
    this.#again.stop();
  }

  async #runFirst(listing: Promise<void>): Promise<void> {
    this.#opened = true;
    const takeover = new IndexRestore(await this.#index.open());
    this.#takeover = takeover;
    const { read } = this.#scanned;
    let listed = false;
    const isListed = listing.finally(() => {
      listed = true;
    });
    // Its errors are handled where it is awaited, below.
    isListed.catch(() => undefined);
    while (!listed && !this.#stopped) {
      await this.#scanAll();
      const pauseMs = read.size === 0 ? AWAIT_FIRST_MS : AWAIT_MORE_MS;
      await Promise.race([isListed, sleep(pauseMs, undefined, { ref: false })]);
    }
    this.#fill();
    for (const { id } of await takeover.settle(this.#index, this.#scanned)) read.drop(id);
    await this.#scanAll();
    // Only now: scanning a renamed log moves its old entry.
    const outside = new Set(this.#catalog.outsideFiles().map(({ file }) => file.path));
    const leftOver = takeover.leftOver();
    await this.#index.forget(
      leftOver,
      leftOver.filter((path) => outside.has(path)),
    );
    this.#takeover = null;
    this.#scanned.dropGone();
    if (this.#stopped) return;
    this.#checking = true;
    await this.#index.check().finally(() => {
      this.#checking = false;
    });
    await this.#scanAll();
  }

  /**
   * A search found the index damaged or missing: it is checked, and rebuilt if that is true. Calls within half a minute
   * after that do nothing.
   */
  distrustIndex(): void {
    if (this.#stopped || performance.now() - this.#distrustedAtMs < DISTRUST_EVERY_MS) return;
    this.#distrustedAtMs = performance.now();
    const renew = async () => {
      await this.#index.check();
      // A run in progress may have looked already for what is due.
      await this.#running;
      if (!this.#stopped) await this.run();
    };
    renew().catch((error: unknown) => console.error("Checking the index failed:", error));
  }

  async #runAgain(): Promise<void> {
    await this.#index.renewIfRemoved();
    await this.#scanAll();
    this.#scanned.dropGone();
  }

  #rest(): void {
    this.#running = null;
    if (this.#index.isKept && this.#scanned.read.unsaved().length > 0) this.#later.ask();
    if (this.#scanned.passing.size > 0) this.#again.ask();
  }

  /** Reads again what could not be read for a reason that may be over; false while some of it still cannot. */
  async #scanPassing(): Promise<boolean> {
    const { passing } = this.#scanned;
    await this.#running;
    for (const id of [...passing]) {
      if (this.#stopped) return false;
      await this.#scanned.scan(id, false);
    }
    return passing.size === 0;
  }

  /** Saves what was read while the index could not be written; stops where it still cannot. */
  async #saveUnsaved(): Promise<boolean> {
    const { read } = this.#scanned;
    await this.#index.retry();
    for (const id of read.unsaved()) {
      if (this.#stopped || this.#index.state.mode !== "writer") return false;
      await this.#scanned.scan(id, this.#due.hasMuch);
    }
    return read.unsaved().length === 0;
  }

  async #scanAll(): Promise<void> {
    const source = { next: () => this.#next(), bytesOf: (id: SessionId) => this.#due.bytesOf(id) };
    for (this.#fill(); !this.#queue.isEmpty && !this.#stopped; this.#fill()) {
      await scanAhead(source, (id, onRead) => this.#scan(id, onRead));
      await this.#scanInterrupted();
    }
  }

  async #scanInterrupted(): Promise<void> {
    const interrupted = this.#interrupted;
    this.#interrupted = [];
    for (const id of interrupted) {
      await nextTurn();
      await this.#activity.quiet(STEP_ASIDE_MS);
      if (!this.#stopped) await this.#scanned.scanAlone(id);
      this.#queue.done(id);
    }
  }

  async #next(): Promise<SessionId | null> {
    await nextTurn();
    await this.#activity.quiet(STEP_ASIDE_MS);
    if (this.#due.isOutdated) this.#fill();
    return this.#stopped ? null : this.#queue.next();
  }

  #fill(): void {
    this.#takeover?.takeListed(this.#catalog, (files, entry) => this.#scanned.take(files, entry, true));
    this.#queue.fill(this.#due.look());
  }

  async #scan(id: SessionId, onRead: () => void): Promise<void> {
    let isRead = true;
    try {
      isRead = await this.#scanned.scan(id, this.#due.hasMuch, onRead);
    } finally {
      // An interrupted session stays out of the queue until it has been read alone.
      if (isRead) this.#queue.done(id);
      else this.#interrupted.push(id);
    }
  }
}

/** The order in which sessions are scanned: those that a reader has opened, then by last activity. */
class ScanQueue {
  /** Next last. */
  #waiting: SessionId[] = [];
  readonly #wanted = new Set<SessionId>();
  readonly #taken = new Set<SessionId>();

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Replaces the queue by the sessions that are due, in that order. Those being scanned are left out. */
  fill(due: readonly SessionId[]): void {
    this.#waiting = due.filter((id) => !this.#taken.has(id)).reverse();
    for (const id of this.#wanted) this.#putFirst(id);
  }

  /** Makes a session the next to be scanned, if it is due now or will be. */
  prefer(id: SessionId): void {
    this.#wanted.add(id);
    this.#putFirst(id);
  }

  /** Removes and returns the next session; null if none waits. The caller says when it is `done`. */
  next(): SessionId | null {
    const id = this.#waiting.pop();
    if (id === undefined) return null;
    this.#wanted.delete(id);
    this.#taken.add(id);
    return id;
  }

  done(id: SessionId): void {
    this.#taken.delete(id);
  }

  #putFirst(id: SessionId): void {
    const at = this.#waiting.lastIndexOf(id);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    this.#waiting.push(id);
  }
}

/** What the index held at the start, handed over to the sessions as they are listed. */
export class IndexRestore {
  /** By main log: what no listed session has taken over yet. */
  readonly #entries: Map<string, StoredEntry>;
  #taken: SessionFiles[] = [];

  constructor(entries: readonly StoredEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.files[0]?.path ?? "", entry]));
  }

  /** Sessions whose files are what the index says are complete at once, and are looked at more closely when all are listed. */
  takeListed(catalog: Catalog, take: (files: SessionFiles, entry: StoredEntry) => void): void {
    if (this.#entries.size === 0) return;
    for (const { id } of catalog.summaries()) {
      const files = catalog.sessionFiles(id);
      const entry = this.#entries.get(files.main.path);
      if (!entry) continue;
      this.#entries.delete(files.main.path);
      if (!isSame(entry, files)) continue;
      take(files, entry);
      this.#taken.push(files);
    }
  }

  /**
   * When all are listed: adds the sessions' contributions to the totals, and returns the sessions that must be read
   * again, because they differ from what was indexed after all, or their share is damaged.
   */
  async settle(
    index: Pick<LibraryIndex, "shares" | "verify">,
    scanned: Pick<ScannedLibrary, "putShare">,
  ): Promise<SessionFiles[]> {
    const taken = this.#taken;
    this.#taken = [];
    // A first start has nothing to compare, and its index is being written.
    if (taken.length === 0) return [];
    const shares = new Map((await index.shares()).map(({ path, share }) => [path, share]));
    for (const files of taken) {
      // A library of half a million messages takes half a second.
      await nextSlice();
      const share = shares.get(files.main.path);
      if (share) scanned.putShare(files, share);
    }
    const sessions = taken.map(({ main, root }) => ({ path: main.path, root }));
    const stale = new Set(await index.verify(sessions));
    return taken.filter(({ main }) => stale.has(main.path) || !shares.has(main.path));
  }

  /** Main logs that the index knew and that were not listed; it is asked for them once. */
  leftOver(): string[] {
    const paths = [...this.#entries.keys()];
    this.#entries.clear();
    return paths;
  }
}

/** True if the files look like those that were indexed; only their hashes show whether they are. */
function isSame(entry: StoredEntry, { main, agents }: SessionFiles): boolean {
  const listed = [main, ...agents];
  if (listed.length !== entry.files.length || entry.unread.length > 0) return false;
  // Without the device: between libuv 1.49 and 1.51 Windows 11 reports different ones for a path and for the open file.
  return listed.every(({ path, ino, bytes }, at) => {
    const file = entry.files[at];
    // A log that was not read to its end may end in a record that earlier versions of Backscroll took for half a line.
    const isWhole = file?.bytes === bytes;
    return isWhole && file.path === path && file.ino === ino && file.size === bytes;
  });
}
