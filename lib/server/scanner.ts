import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { SessionId } from "@/lib/wire/ids";
import type { Catalog } from "./catalog/catalog";
import type { SessionFiles } from "./catalog/session-files";
import { titleLine } from "./catalog/session-summary";
import { bytesOf as bytesRead } from "./index/hot-sessions";
import type { LibraryIndex } from "./index/library-index";
import type { SessionFacets } from "./index/session-facets";
import type { StoredEntry, StoredTitles } from "./index/stored-session";
import { IndexTakeover } from "./index-takeover";
import { ReadSessions } from "./read-sessions";
import type { RequestActivity } from "./request-activity";
import { SaveLater } from "./save-later";
import { scanFailure } from "./scan-failure";
import { ScanQueue } from "./scan-queue";
import type { SessionNumbers } from "./session-queries";
import { bytesOf } from "./session-signature";
import { LibraryTotals } from "./totals/library-totals";
import { isViewerError } from "./viewer-error";

/** A stream of requests may hold a scan back, never starve it. */
const STEP_ASIDE_MS = 250;

/** So much waits at the threads that scan, which then never wait for us, however small the sessions are. */
const AHEAD_BYTES = 8 << 20;
const LEAST_AHEAD = 4;
const MOST_AHEAD = 32;

/** With so much left to read a second thread is worth its memory, but not while it takes time from listing. */
const MUCH_BYTES = 2 ** 30;

/** While folders are being listed, newer sessions may come than those that wait. */
const LOOK_AGAIN_MS = 200;
const LOOK_FOR_FIRST_MS = 20;

type ScannerIndex = Omit<LibraryIndex, "stop">;

/**
 * The second pass: takes over what the index knows, and brings every other session into it, last active
 * first, behind all requests.
 */
export class Scanner {
  readonly #catalog: Catalog;
  readonly #index: ScannerIndex;
  readonly #activity: RequestActivity;
  readonly #known = new ReadSessions();
  readonly #queue = new ScanQueue();
  readonly totals = new LibraryTotals();
  readonly #later: SaveLater;
  #takeover: IndexTakeover | null = null;
  #running: Promise<void> | null = null;
  #opened = false;
  #lookedAtMs = 0;
  /** What waits is out of a whole listing. */
  #sawAll = false;
  #hasMuch = false;
  #epoch = 0;
  #revision = 0;
  #stopped = false;
  #checking = false;

  /** @param saveAfterMs until what could not be saved is tried again, at first */
  constructor(catalog: Catalog, index: ScannerIndex, activity: RequestActivity, saveAfterMs?: number) {
    this.#catalog = catalog;
    this.#index = index;
    this.#activity = activity;
    this.#later = new SaveLater(() => this.#saveUnsaved(), saveAfterMs);
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
    if (!known?.isStored || this.#index.state.path === null) return null;
    return new Map(known.entry.files.map(({ key, bytes }) => [key, bytes]));
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

  stop(): void {
    this.#stopped = true;
    this.#later.stop();
  }

  async #runFirst(listing: Promise<void>): Promise<void> {
    this.#opened = true;
    const takeover = new IndexTakeover(await this.#index.open());
    this.#takeover = takeover;
    this.#epoch = this.#index.state.epoch;
    let listed = false;
    const isListed = listing.finally(() => {
      listed = true;
    });
    // Seen where it is waited for, below.
    isListed.catch(() => undefined);
    while (!listed && !this.#stopped) {
      await this.#scanAll();
      const pauseMs = this.#known.size === 0 ? LOOK_FOR_FIRST_MS : LOOK_AGAIN_MS;
      await Promise.race([isListed, sleep(pauseMs, undefined, { ref: false })]);
    }
    this.#fill();
    for (const { id } of await takeover.settle(this.#index, this.totals)) this.#known.drop(id);
    await this.#scanAll();
    // Only now: a log that was renamed takes its old entry along when it is scanned.
    const outside = new Set(this.#catalog.outsideFiles().map(({ file }) => file.path));
    const leftOver = takeover.leftOver();
    await this.#index.forget(
      leftOver,
      leftOver.filter((path) => outside.has(path)),
    );
    this.#takeover = null;
    this.#dropGone();
    if (this.#stopped) return;
    this.#checking = true;
    await this.#index.check();
    this.#checking = false;
    await this.#scanAll();
  }

  async #runAgain(): Promise<void> {
    await this.#scanAll();
    this.#dropGone();
  }

  #rest(): void {
    this.#running = null;
    if (this.#index.isKept && this.#known.unsaved().length > 0) this.#later.ask();
  }

  /** Saves what was read while the index could not be written; stops where it still cannot. */
  async #saveUnsaved(): Promise<boolean> {
    await this.#index.retry();
    for (const id of this.#known.unsaved()) {
      if (this.#stopped || this.#index.state.mode !== "writer") return false;
      await this.#scan(id);
    }
    return this.#known.unsaved().length === 0;
  }

  #take(files: SessionFiles, entry: StoredEntry, isStored: boolean): void {
    this.#revision += 1;
    this.#known.put(files, entry, isStored);
    this.#catalog.setNumbers(files.id, { ...entry.numbers, ...titleOf(entry.titles) }, bytesOf(files));
  }

  async #scanAll(): Promise<void> {
    for (this.#fill(); !this.#queue.isEmpty && !this.#stopped; this.#fill()) await this.#scanDue();
  }

  async #scanDue(): Promise<void> {
    const running = new Set<Promise<void>>();
    let ahead = 0;
    for (let id = await this.#next(); id !== null; id = await this.#next()) {
      const due = id;
      const bytes = this.#bytesOf(due);
      ahead += bytes;
      const scan = this.#scan(due).finally(() => {
        running.delete(scan);
        this.#queue.done(due);
        ahead -= bytes;
      });
      running.add(scan);
      while (running.size >= MOST_AHEAD || (running.size >= LEAST_AHEAD && ahead > AHEAD_BYTES))
        await Promise.race(running);
    }
    await Promise.all(running);
  }

  async #next(): Promise<SessionId | null> {
    await nextTurn();
    await this.#activity.quiet(STEP_ASIDE_MS);
    const isOld = this.#catalog.listed || performance.now() - this.#lookedAtMs > LOOK_AGAIN_MS;
    if (!this.#sawAll && isOld) this.#fill();
    return this.#stopped ? null : this.#queue.next();
  }

  #fill(): void {
    this.#takeover?.takeListed(this.#catalog, (files, entry) => this.#take(files, entry, true));
    const due = this.#due();
    this.#queue.fill(due);
    const bytes = due.reduce((sum, id) => sum + this.#bytesOf(id), 0);
    this.#sawAll = this.#catalog.listed;
    this.#hasMuch = this.#sawAll && bytes > MUCH_BYTES;
    this.#lookedAtMs = performance.now();
  }

  #bytesOf(id: SessionId): number {
    try {
      return bytesOf(this.#catalog.sessionFiles(id));
    } catch (error) {
      if (isViewerError(error)) return 0; // gone since it was listed; scanning it says so
      throw error;
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
      return !this.#known.holds(this.#catalog.sessionFiles(id));
    });
    changed.sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
    return [...due, ...changed.map(({ id }) => id)];
  }

  #dropGone(): void {
    const listed = new Set(this.#catalog.summaries().map(({ id }) => id));
    this.#known.keepOnly(listed);
    this.totals.keepOnly(listed);
  }

  async #scan(id: SessionId): Promise<void> {
    try {
      // Taken before the scan: what is appended meanwhile makes the session due again.
      const files = this.#catalog.sessionFiles(id);
      const known = this.totals.has(id) ? this.#known.get(id)?.entry.files : undefined;
      const sharedBytes = known ? bytesRead(known) : null;
      const { entry, share, goesOn, isStored } = await this.#index.index(files, this.#hasMuch, sharedBytes);
      if (goesOn) this.totals.goOn(id, share);
      else this.totals.put(id, share);
      this.#take(files, entry, isStored);
    } catch (error) {
      this.#catalog.setProblem(id, scanFailure(error));
    }
  }
}

/** A person's own title wins over a generated one. Without either the first pass's stays. */
function titleOf({ custom, ai }: StoredTitles): Pick<SessionNumbers, "title" | "titleSource"> {
  const title = titleLine(custom ?? ai ?? "");
  return title === "" ? {} : { title, titleSource: custom === null ? "ai" : "custom" };
}
