import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryTotals } from "@/lib/server/library/library-totals";
import type { RequestActivity } from "@/lib/server/runtime/request-activity";
import { SaveLater } from "@/lib/server/runtime/save-later";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import type { SessionId } from "@/lib/wire/ids";
import { DueSessions } from "./due-sessions";
import { IndexTakeover } from "./index-takeover";
import type { LibraryIndex } from "./library-index";
import { scanAhead } from "./scan-ahead";
import { ScanQueue } from "./scan-queue";
import { ScannedLibrary } from "./scanned-library";

/** A stream of requests may hold a scan back, never starve it. */
const STEP_ASIDE_MS = 250;

/** So long it waits for more to be listed once all that is has been scanned. */
const AWAIT_MORE_MS = 200;
const AWAIT_FIRST_MS = 20;

/** Looking through a large index takes a second of a core. */
const DISTRUST_EVERY_MS = 30_000;

type ScannerIndex = Omit<LibraryIndex, "stop">;

/**
 * The second pass: takes over what the index knows, and brings every other session into it, last active
 * first, behind all requests.
 */
export class Scanner {
  readonly #catalog: Catalog;
  readonly #index: ScannerIndex;
  readonly #activity: RequestActivity;
  readonly #scanned: ScannedLibrary;
  readonly #due: DueSessions;
  readonly #queue = new ScanQueue();
  readonly #later: SaveLater;
  #takeover: IndexTakeover | null = null;
  #running: Promise<void> | null = null;
  #opened = false;
  #stopped = false;
  #checking = false;
  #distrustedAtMs = Number.NEGATIVE_INFINITY;

  /** @param saveAfterMs until what could not be saved is tried again, at first */
  constructor(catalog: Catalog, index: ScannerIndex, activity: RequestActivity, saveAfterMs?: number) {
    this.#catalog = catalog;
    this.#index = index;
    this.#activity = activity;
    this.#scanned = new ScannedLibrary(catalog, index);
    this.#due = new DueSessions(catalog, index, this.#scanned.read);
    this.#later = new SaveLater(() => this.#saveUnsaved(), saveAfterMs);
  }

  /** True while sessions are being scanned. */
  get busy(): boolean {
    return this.#running !== null && !this.#checking;
  }

  /** Grows with every session that is scanned. */
  get revision(): number {
    return this.#scanned.revision;
  }

  get totals(): LibraryTotals {
    return this.#scanned.totals;
  }

  /** What a query's filters ask about a session; null until it has been scanned. */
  facets(id: SessionId): SessionFacets | null {
    return this.#scanned.facets(id);
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

  stop(): void {
    this.#stopped = true;
    this.#later.stop();
  }

  async #runFirst(listing: Promise<void>): Promise<void> {
    this.#opened = true;
    const takeover = new IndexTakeover(await this.#index.open());
    this.#takeover = takeover;
    const { read, totals } = this.#scanned;
    let listed = false;
    const isListed = listing.finally(() => {
      listed = true;
    });
    // Seen where it is waited for, below.
    isListed.catch(() => undefined);
    while (!listed && !this.#stopped) {
      await this.#scanAll();
      const pauseMs = read.size === 0 ? AWAIT_FIRST_MS : AWAIT_MORE_MS;
      await Promise.race([isListed, sleep(pauseMs, undefined, { ref: false })]);
    }
    this.#fill();
    for (const { id } of await takeover.settle(this.#index, totals)) read.drop(id);
    await this.#scanAll();
    // Only now: a log that was renamed takes its old entry along when it is scanned.
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
    await this.#index.check();
    this.#checking = false;
    await this.#scanAll();
  }

  /**
   * A search met what the index should not be, damaged or gone: it is looked through, and made again where that is so.
   * Asked again within half a minute nothing more is done.
   */
  distrustIndex(): void {
    if (this.#stopped || Date.now() - this.#distrustedAtMs < DISTRUST_EVERY_MS) return;
    this.#distrustedAtMs = Date.now();
    const renew = async () => {
      await this.#index.check();
      // One under way may have looked at what is due already.
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
    for (this.#fill(); !this.#queue.isEmpty && !this.#stopped; this.#fill())
      await scanAhead(source, (id) => this.#scan(id));
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

  async #scan(id: SessionId): Promise<void> {
    try {
      await this.#scanned.scan(id, this.#due.hasMuch);
    } finally {
      this.#queue.done(id);
    }
  }
}
