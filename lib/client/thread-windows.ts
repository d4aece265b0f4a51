/** Part of a long list. `at`: where the item asked for stands, when one was. */
export type LoadedWindow<Item> = {
  revision: number;
  total: number;
  from: number;
  items: Item[];
  at?: number | null;
};

/** Rows that were written: the first `stable` are the same as at revision `since`; `items` are those known, by index. */
export type Advance<Item> = {
  since: number;
  revision: number;
  total: number;
  stable: number;
  items: readonly (readonly [index: number, item: Item])[];
};

/** Fails with the API's error; an aborted request fails with the signal's reason. */
export type LoadPage<Item> = (
  from: number,
  count: number,
  signal: AbortSignal,
) => Promise<LoadedWindow<Item>>;

/** What a reader of the list sees; a new object after every change. */
export type WindowsSnapshot = { total: number; revision: number; error: Error | null; loaded: number };

export const PAGE_ITEMS = 80;
/** Holds what a screen shows many times over; what is dropped is asked for again. */
const KEPT_PAGES = 16;
const CONCURRENT_REQUESTS = 3;
/** While rows are written, those on screen above them are renewed this often: counts, results. */
const RENEW_MS = 1_000;

/**
 * A list of any length, held in pages around what is looked at. A page far from there is dropped,
 * so memory does not grow with the list.
 */
export class ThreadWindows<Item> {
  private readonly pages = new Map<number, (Item | undefined)[]>();
  private readonly inFlight = new Map<number, AbortController>();
  private readonly listeners = new Set<() => void>();
  /** Pages of an earlier revision: shown until they have been renewed. */
  private readonly stale = new Set<number>();
  private renewal: ReturnType<typeof setTimeout> | null = null;
  private olderAnswers = 0;
  private wanted = { first: 0, last: 0 };
  /** Until a first answer nobody knows how long the list is. */
  private known = false;
  private snapshot: WindowsSnapshot = { total: 0, revision: 0, error: null, loaded: 0 };

  constructor(private readonly load: LoadPage<Item>) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getSnapshot = (): WindowsSnapshot => this.snapshot;

  /** `undefined` while the item is not loaded. */
  itemAt(index: number): Item | undefined {
    return this.pages.get(Math.floor(index / PAGE_ITEMS))?.[index % PAGE_ITEMS];
  }

  /** All loaded items with their index, in order. */
  *loaded(): Generator<[index: number, item: Item]> {
    for (const page of [...this.pages.keys()].sort((a, b) => a - b)) {
      for (const [offset, item] of (this.pages.get(page) ?? []).entries()) {
        if (item !== undefined) yield [page * PAGE_ITEMS + offset, item];
      }
    }
  }

  /**
   * Takes a window that was loaded elsewhere, the one around a record. Pages of an older revision stay until
   * they are renewed, unless the list has become shorter: then it is another one.
   */
  accept({ revision, total, from, items }: LoadedWindow<Item>): void {
    // An answer that was overtaken. Twice in a row it is no accident: the server counts anew.
    if (this.known && revision < this.snapshot.revision && ++this.olderAnswers < 3) return;
    this.olderAnswers = 0;
    const isOlder = revision < this.snapshot.revision;
    if (isOlder || total < this.snapshot.total) this.clear();
    else if (revision !== this.snapshot.revision) this.markStale();
    this.known = true;
    for (const [offset, item] of items.entries()) this.put(from + offset, item);
    this.freshen(from, from + items.length, total);
    this.evict();
    this.publish({ total, revision, error: null });
  }

  /** Takes rows as they are written. False when something is missing between them and what is known. */
  advance({ since, revision, total, stable, items }: Advance<Item>): boolean {
    if (!this.known || since > this.snapshot.revision) return false;
    if (revision <= this.snapshot.revision) return true;
    this.drop(stable);
    this.markStale();
    for (const [index, item] of items) this.put(index, item);
    this.evict();
    this.publish({ total, revision, error: null });
    this.pump(false);
    return true;
  }

  /** Renews what is on screen, and all else when it gets there. */
  renew(): void {
    this.markStale();
    this.pump(true);
  }

  /** Forgets everything but the length: the log is another one than before. */
  reset(): void {
    this.clear();
    this.snapshot = { ...this.snapshot, revision: 0 };
    this.pump(true);
  }

  /** Loads the first page, which says how many items there are. */
  begin(): void {
    if (this.inFlight.size === 0 && !this.known) void this.request(0);
  }

  /** Says what is on screen. Pages no longer near it are given up, requests for them cancelled. */
  want(first: number, last: number): void {
    this.wanted = { first: Math.max(0, first), last: Math.max(0, last) };
    this.pump(this.renewal === null);
  }

  /** Resolves when these items are loaded, cannot be, or are no longer wanted. */
  async ensure(first: number, last: number): Promise<void> {
    this.want(first, last);
    const asked = this.wanted;
    while (this.wanted === asked && !this.snapshot.error && this.missingPages().length > 0) {
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => {
          stop();
          resolve();
        });
      });
    }
  }

  /** Forgets a failure and asks again. */
  retry(): void {
    this.publish({ error: null });
    this.pump(true);
  }

  /** Cancels all requests. What is loaded can still be read. */
  dispose(): void {
    for (const controller of this.inFlight.values()) controller.abort();
    this.inFlight.clear();
    if (this.renewal) clearTimeout(this.renewal);
    this.renewal = null;
  }

  private missingPages(): number[] {
    const last = Math.min(this.wanted.last, this.snapshot.total - 1);
    const missing: number[] = [];
    for (let index = this.wanted.first; index <= last; index++) {
      if (this.itemAt(index) !== undefined) continue;
      const page = Math.floor(index / PAGE_ITEMS);
      missing.push(page);
      index = (page + 1) * PAGE_ITEMS - 1;
    }
    return missing;
  }

  private stalePages(): number[] {
    const first = Math.floor(this.wanted.first / PAGE_ITEMS);
    const last = Math.floor(Math.min(this.wanted.last, this.snapshot.total - 1) / PAGE_ITEMS);
    return [...this.stale].filter((page) => page >= first && page <= last);
  }

  /** Asks for what is wanted and not there; `renewing`: also for what is there and of an earlier revision. */
  private pump(renewing: boolean): void {
    if (!this.known) return;
    const missing = this.missingPages();
    const stale = this.stalePages();
    for (const [page, controller] of this.inFlight) {
      if (missing.includes(page) || stale.includes(page)) continue;
      this.inFlight.delete(page);
      controller.abort();
    }
    if (this.snapshot.error) return;
    for (const page of new Set(renewing ? [...missing, ...stale] : missing)) {
      if (this.inFlight.size >= CONCURRENT_REQUESTS) return;
      if (!this.inFlight.has(page)) void this.request(page);
    }
  }

  private markStale(): void {
    for (const page of this.pages.keys()) this.stale.add(page);
    this.renewal ??= setTimeout(() => {
      this.renewal = null;
      this.pump(true);
    }, RENEW_MS);
  }

  /** These items are of the newest revision: pages that they fill are not stale any more. */
  private freshen(from: number, to: number, total: number): void {
    for (const page of this.stale) {
      if (from <= page * PAGE_ITEMS && to >= Math.min(total, (page + 1) * PAGE_ITEMS))
        this.stale.delete(page);
    }
  }

  private drop(from: number): void {
    for (const [page, items] of this.pages) {
      if ((page + 1) * PAGE_ITEMS <= from) continue;
      if (page * PAGE_ITEMS >= from) this.pages.delete(page);
      else items.fill(undefined, from - page * PAGE_ITEMS);
    }
  }

  private clear(): void {
    this.pages.clear();
    this.stale.clear();
  }

  private async request(page: number): Promise<void> {
    const controller = new AbortController();
    this.inFlight.set(page, controller);
    const done = () => this.inFlight.get(page) === controller && this.inFlight.delete(page);
    try {
      const window = await this.load(page * PAGE_ITEMS, PAGE_ITEMS, controller.signal);
      done();
      if (!controller.signal.aborted) this.accept(window);
    } catch (error) {
      done();
      if (controller.signal.aborted) return;
      this.publish({ error: error instanceof Error ? error : new Error(String(error)) });
    }
    this.pump(false);
  }

  private put(index: number, item: Item): void {
    const page = Math.floor(index / PAGE_ITEMS);
    const items = this.pages.get(page) ?? new Array<Item | undefined>(PAGE_ITEMS).fill(undefined);
    const known = items[index % PAGE_ITEMS];
    // The same object again, so that a row that has not changed is not drawn again.
    if (known === undefined || !isSame(known, item)) items[index % PAGE_ITEMS] = item;
    this.pages.set(page, items);
  }

  private evict(): void {
    const centre = (this.wanted.first + this.wanted.last) / 2 / PAGE_ITEMS;
    const farthestFirst = [...this.pages.keys()].sort((a, b) => Math.abs(b - centre) - Math.abs(a - centre));
    for (const page of farthestFirst.slice(0, Math.max(0, farthestFirst.length - KEPT_PAGES))) {
      this.pages.delete(page);
      this.stale.delete(page);
    }
  }

  private publish(change: Partial<WindowsSnapshot>): void {
    let loaded = 0;
    for (const items of this.pages.values()) for (const item of items) if (item !== undefined) loaded++;
    this.snapshot = { ...this.snapshot, ...change, loaded };
    for (const listener of [...this.listeners]) listener();
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
