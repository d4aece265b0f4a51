/** Part of a long list. `at`: where the item asked for stands, when one was. */
export type LoadedWindow<Item> = {
  revision: number;
  total: number;
  from: number;
  items: Item[];
  at?: number | null;
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

/**
 * A list of any length, held in pages around what is looked at. A page far from there is dropped,
 * so memory does not grow with the list.
 */
export class ThreadWindows<Item> {
  private readonly pages = new Map<number, (Item | undefined)[]>();
  private readonly inFlight = new Map<number, AbortController>();
  private readonly listeners = new Set<() => void>();
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

  /** Takes a window that was loaded elsewhere, the one around a record. Older revisions go. */
  accept({ revision, total, from, items }: LoadedWindow<Item>): void {
    this.known = true;
    if (revision !== this.snapshot.revision || total !== this.snapshot.total) this.pages.clear();
    for (const [offset, item] of items.entries()) this.put(from + offset, item);
    this.evict();
    this.publish({ total, revision, error: null });
  }

  /** Loads the first page, which says how many items there are. */
  begin(): void {
    if (this.inFlight.size === 0 && !this.known) void this.request(0);
  }

  /** Says what is on screen. Pages no longer near it are given up, requests for them cancelled. */
  want(first: number, last: number): void {
    this.wanted = { first: Math.max(0, first), last: Math.max(0, last) };
    this.pump();
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
    this.pump();
  }

  /** Cancels all requests. What is loaded can still be read. */
  dispose(): void {
    for (const controller of this.inFlight.values()) controller.abort();
    this.inFlight.clear();
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

  private pump(): void {
    if (!this.known) return;
    const missing = this.missingPages();
    for (const [page, controller] of this.inFlight) {
      if (missing.includes(page)) continue;
      this.inFlight.delete(page);
      controller.abort();
    }
    if (this.snapshot.error) return;
    for (const page of missing) {
      if (this.inFlight.size >= CONCURRENT_REQUESTS) return;
      if (!this.inFlight.has(page)) void this.request(page);
    }
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
    this.pump();
  }

  private put(index: number, item: Item): void {
    const page = Math.floor(index / PAGE_ITEMS);
    const items = this.pages.get(page) ?? new Array<Item | undefined>(PAGE_ITEMS).fill(undefined);
    items[index % PAGE_ITEMS] = item;
    this.pages.set(page, items);
  }

  private evict(): void {
    const centre = (this.wanted.first + this.wanted.last) / 2 / PAGE_ITEMS;
    const farthestFirst = [...this.pages.keys()].sort((a, b) => Math.abs(b - centre) - Math.abs(a - centre));
    for (const page of farthestFirst.slice(0, Math.max(0, farthestFirst.length - KEPT_PAGES))) {
      this.pages.delete(page);
    }
  }

  private publish(change: Partial<WindowsSnapshot>): void {
    let loaded = 0;
    for (const items of this.pages.values()) for (const item of items) if (item !== undefined) loaded++;
    this.snapshot = { ...this.snapshot, ...change, loaded };
    for (const listener of [...this.listeners]) listener();
  }
}
