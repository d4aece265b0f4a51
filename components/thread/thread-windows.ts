import { useSyncExternalStore } from "react";
import { isUnreachable, whenBack } from "@/lib/client/connection/when-back";
import { Listeners } from "@/lib/client/listeners";
import type { BranchId } from "@/lib/wire/ids";

/** Part of a long list. `at`: where the item asked for stands, when one was. `branch`: whose rows these are. */
export type LoadedWindow<Item> = {
  revision: number;
  total: number;
  from: number;
  items: Item[];
  at?: number | null;
  branch?: BranchId | null;
};

/** Rows that were written: the first `stable` are the same as at revision `since`; `items` are those known, by index. */
export type Advance<Item> = {
  since: number;
  revision: number;
  total: number;
  stable: number;
  items: readonly (readonly [index: number, item: Item])[];
  branch?: BranchId | null;
};

/**
 * Fails with the API's error; an aborted request fails with the signal's reason. `shown`: the branch whose rows are
 * shown, so that those of another one never come in their place; `null` where that is not known.
 */
export type LoadPage<Item> = (
  from: number,
  count: number,
  signal: AbortSignal,
  shown: BranchId | null,
) => Promise<LoadedWindow<Item>>;

/**
 * What a reader of the list sees; a new object after every change. `branch`: the one whose rows these are, as it is called
 * at this revision: the active one may become another. `null` where they are of none, or that is not known.
 */
export type WindowsSnapshot = {
  total: number;
  revision: number;
  branch: BranchId | null;
  error: Error | null;
  loaded: number;
};

const CONCURRENT_REQUESTS = 3;
/** An answer that takes longer may be awaited from a connection that is dead: it is asked for again. */
export const MAX_WAIT_MS = 30_000;
const TOO_LONG = new DOMException("No answer came in time.", "TimeoutError");
/** While rows are written, those on screen above them are renewed this often: counts, results. */
const RENEW_MS = 1_000;

/**
 * A list of any length, held in pages around what is looked at. A page far from there is dropped,
 * so memory does not grow with the list.
 */
export class ThreadWindows<Item> {
  readonly #load: LoadPage<Item>;
  readonly #pages = new ThreadPages<Item>();
  readonly #inFlight = new Map<number, AbortController>();
  /** Of those the ones that were to be renewed since they were asked for. */
  readonly #again = new Set<number>();
  readonly #listeners = new Listeners();
  #renewal: ReturnType<typeof setTimeout> | null = null;
  /** Ends the wait for a server that did not answer. */
  #stopWaiting: (() => void) | null = null;
  #olderAnswers = 0;
  #wanted = { first: 0, last: 0 };
  /** Until a first answer nobody knows how long the list is. */
  #known = false;
  #snapshot: WindowsSnapshot = { total: 0, revision: 0, branch: null, error: null, loaded: 0 };

  constructor(load: LoadPage<Item>) {
    this.#load = load;
  }

  subscribe = this.#listeners.add;

  getSnapshot = (): WindowsSnapshot => this.#snapshot;

  /** `undefined` while the item is not loaded. */
  itemAt(index: number): Item | undefined {
    return this.#pages.itemAt(index);
  }

  /** All loaded items with their index, in order. */
  loaded(): Generator<[index: number, item: Item]> {
    return this.#pages.loaded();
  }

  /**
   * Takes a window that was loaded elsewhere, the one around a record. Pages of an older revision stay until
   * they are renewed, unless the list has become shorter: then it is another one.
   */
  accept({ revision, total, from, items, branch = null }: LoadedWindow<Item>): void {
    // An answer that was overtaken. Three in a row are no accident: the server counts anew.
    if (this.#known && revision < this.#snapshot.revision && ++this.#olderAnswers < 3) return;
    this.#olderAnswers = 0;
    const isOlder = revision < this.#snapshot.revision;
    if (isOlder || total < this.#snapshot.total) this.#pages.clear();
    else if (revision !== this.#snapshot.revision) this.#markStale();
    this.#known = true;
    for (const [offset, item] of items.entries()) this.#pages.put(from + offset, item);
    this.#pages.freshen(from, from + items.length, total);
    this.#pages.evict((this.#wanted.first + this.#wanted.last) / 2);
    this.#publish({ total, revision, branch, error: null });
  }

  /** Takes rows as they are written. False when something is missing between them and what is known. */
  advance({ since, revision, total, stable, items, branch = null }: Advance<Item>): boolean {
    if (!this.#known || since > this.#snapshot.revision) return false;
    if (revision <= this.#snapshot.revision) return true;
    // The server counts on from what is known: answers that are older now were overtaken by this.
    this.#olderAnswers = 0;
    this.#pages.drop(stable);
    this.#markStale();
    for (const [index, item] of items) this.#pages.put(index, item);
    this.#pages.evict((this.#wanted.first + this.#wanted.last) / 2);
    this.#publish({ total, revision, branch, error: null });
    this.#pump(false);
    return true;
  }

  /** Renews what is on screen, and all else when it gets there. What could not be loaded is asked for again. */
  renew(): void {
    if (this.#snapshot.error) this.#publish({ error: null });
    if (this.#snapshot.total === 0) return this.begin();
    // An answer that is on its way may be of before.
    for (const page of this.#inFlight.keys()) this.#again.add(page);
    this.#markStale();
    this.#pump(true);
  }

  /** The rows of another branch come in the place of these, which stay on screen until then. */
  goOn(branch: BranchId): void {
    // Of the branch before, and perhaps of this revision.
    this.#abort();
    this.#markStale();
    this.#publish({ branch });
  }

  /** The server counts revisions anew: what is held stays on screen until it has been renewed. */
  restart(): void {
    this.#snapshot = { ...this.#snapshot, revision: 0 };
    this.renew();
  }

  /** Forgets everything but the length: the log is another one than before. */
  reset(): void {
    this.#pages.clear();
    // What is on its way may be of the log before, and would be taken for news.
    this.#abort();
    // It may have been gone meanwhile.
    this.#snapshot = { ...this.#snapshot, revision: 0, branch: null, error: null };
    if (this.#snapshot.total === 0) return this.begin();
    this.#pump(true);
  }

  /** Loads the first page, which says how many items there are, of a list of which none is known. */
  begin(): void {
    if (this.#inFlight.size === 0 && this.#snapshot.total === 0) void this.#request(0);
  }

  /** Says what is on screen. Pages no longer near it are given up, requests for them cancelled. */
  want(first: number, last: number): void {
    this.#wanted = { first: Math.max(0, first), last: Math.max(0, last) };
    this.#pump(this.#renewal === null);
  }

  /** Resolves when these items are loaded, cannot be, or are no longer wanted. */
  async ensure(first: number, last: number): Promise<void> {
    this.want(first, last);
    const asked = this.#wanted;
    while (this.#wanted === asked && !this.#snapshot.error && this.#missingPages().length > 0) {
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
    this.#publish({ error: null });
    if (this.#snapshot.total === 0) return this.begin();
    this.#pump(true);
  }

  /** Cancels all requests. What is loaded can still be read. */
  dispose(): void {
    this.#abort();
    if (this.#renewal) clearTimeout(this.#renewal);
    this.#renewal = null;
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  #abort(): void {
    for (const controller of this.#inFlight.values()) controller.abort();
    this.#inFlight.clear();
    this.#again.clear();
  }

  #missingPages(): number[] {
    return this.#pages.missingIn(this.#wanted.first, Math.min(this.#wanted.last, this.#snapshot.total - 1));
  }

  /** Asks for what is wanted and not there; `renewing`: also for what is there and of an earlier revision. */
  #pump(renewing: boolean): void {
    // Of an empty list nothing is wanted but what `begin` asks for.
    if (this.#snapshot.total === 0) return;
    const missing = this.#missingPages();
    const stale = this.#pages.oldIn(
      this.#wanted.first,
      Math.min(this.#wanted.last, this.#snapshot.total - 1),
    );
    for (const [page, controller] of this.#inFlight) {
      if (missing.includes(page) || stale.includes(page)) continue;
      this.#inFlight.delete(page);
      this.#again.delete(page);
      controller.abort();
    }
    if (this.#snapshot.error) return;
    for (const page of new Set(renewing ? [...missing, ...stale] : missing)) {
      if (this.#inFlight.size >= CONCURRENT_REQUESTS) return;
      if (!this.#inFlight.has(page)) void this.#request(page);
    }
  }

  #markStale(): void {
    this.#pages.markOld();
    this.#renewal ??= setTimeout(() => {
      this.#renewal = null;
      this.#pump(true);
    }, RENEW_MS);
  }

  async #request(page: number): Promise<void> {
    const controller = new AbortController();
    this.#inFlight.set(page, controller);
    const timer = setTimeout(() => controller.abort(TOO_LONG), MAX_WAIT_MS);
    let isBefore = false;
    const done = () => {
      clearTimeout(timer);
      if (this.#inFlight.get(page) !== controller) return;
      this.#inFlight.delete(page);
      isBefore = this.#again.delete(page);
    };
    try {
      const window = await this.#load(
        page * PAGE_ITEMS,
        PAGE_ITEMS,
        controller.signal,
        this.#snapshot.branch,
      );
      done();
      if (!controller.signal.aborted) this.accept(window);
      if (isBefore) this.#markStale();
    } catch (error) {
      done();
      const { aborted, reason } = controller.signal;
      if (aborted && reason === TOO_LONG) return this.renew();
      if (aborted) return;
      this.#publish({ error: error instanceof Error ? error : new Error(String(error)) });
      if (isUnreachable(error)) this.#retryWhenBack();
    }
    this.#pump(isBefore);
  }

  #retryWhenBack(): void {
    this.#stopWaiting ??= whenBack(() => {
      this.#stopWaiting = null;
      if (isUnreachable(this.#snapshot.error)) this.retry();
    });
  }

  #publish(change: Partial<WindowsSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change, loaded: this.#pages.count() };
    this.#listeners.tell();
  }
}

/** Renders again whenever pages of the list come or go. */
export function useThreadWindows<Item>(windows: ThreadWindows<Item>): WindowsSnapshot {
  return useSyncExternalStore(windows.subscribe, windows.getSnapshot, windows.getSnapshot);
}

export const PAGE_ITEMS = 80;
/** Holds what a screen shows many times over; what is dropped is asked for again. */
const KEPT_PAGES = 16;

/** Parts of a long list, in pages, and which pages are of an earlier revision than the list's. */
class ThreadPages<Item> {
  readonly #pages = new Map<number, (Item | undefined)[]>();
  readonly #old = new Set<number>();

  /** `undefined` while the item is not loaded. */
  itemAt(index: number): Item | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ITEMS))?.[index % PAGE_ITEMS];
  }

  /** All loaded items with their index, in order. */
  *loaded(): Generator<[index: number, item: Item]> {
    for (const page of [...this.#pages.keys()].sort((a, b) => a - b)) {
      for (const [offset, item] of (this.#pages.get(page) ?? []).entries()) {
        if (item !== undefined) yield [page * PAGE_ITEMS + offset, item];
      }
    }
  }

  count(): number {
    let count = 0;
    for (const items of this.#pages.values()) for (const item of items) if (item !== undefined) count++;
    return count;
  }

  put(index: number, item: Item): void {
    const page = Math.floor(index / PAGE_ITEMS);
    const items = this.#pages.get(page) ?? new Array<Item | undefined>(PAGE_ITEMS).fill(undefined);
    const known = items[index % PAGE_ITEMS];
    // The same object again, so that a row that has not changed is not drawn again.
    if (known === undefined || !isSame(known, item)) items[index % PAGE_ITEMS] = item;
    this.#pages.set(page, items);
  }

  /** Forgets the items from this one on. */
  drop(from: number): void {
    for (const [page, items] of this.#pages) {
      if ((page + 1) * PAGE_ITEMS <= from) continue;
      if (page * PAGE_ITEMS >= from) this.#pages.delete(page);
      else items.fill(undefined, from - page * PAGE_ITEMS);
    }
  }

  clear(): void {
    this.#pages.clear();
    this.#old.clear();
  }

  /** Forgets the pages farthest from what is looked at, so that memory does not grow with the list. */
  evict(centre: number): void {
    const page = centre / PAGE_ITEMS;
    const farthestFirst = [...this.#pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
    for (const far of farthestFirst.slice(0, Math.max(0, farthestFirst.length - KEPT_PAGES))) {
      this.#pages.delete(far);
      this.#old.delete(far);
    }
  }

  /** The list has another revision now: what is held is shown until it has been renewed. */
  markOld(): void {
    for (const page of this.#pages.keys()) this.#old.add(page);
  }

  /** These items are of the newest revision: pages that they fill are not old any more. */
  freshen(from: number, to: number, total: number): void {
    for (const page of this.#old) {
      if (from <= page * PAGE_ITEMS && to >= Math.min(total, (page + 1) * PAGE_ITEMS)) this.#old.delete(page);
    }
  }

  /** Pages in which one of these items is not there. */
  missingIn(first: number, last: number): number[] {
    const missing: number[] = [];
    for (let index = first; index <= last; index++) {
      if (this.itemAt(index) !== undefined) continue;
      const page = Math.floor(index / PAGE_ITEMS);
      missing.push(page);
      index = (page + 1) * PAGE_ITEMS - 1;
    }
    return missing;
  }

  /** Pages of an earlier revision among these items. */
  oldIn(first: number, last: number): number[] {
    const [from, to] = [Math.floor(first / PAGE_ITEMS), Math.floor(last / PAGE_ITEMS)];
    return [...this.#old].filter((page) => page >= from && page <= to);
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
