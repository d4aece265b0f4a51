export const PAGE_ITEMS = 80;
/** Holds what a screen shows many times over; what is dropped is asked for again. */
const KEPT_PAGES = 16;

/** Parts of a long list, in pages, and which pages are of an earlier revision than the list's. */
export class ThreadPages<Item> {
  private readonly pages = new Map<number, (Item | undefined)[]>();
  private readonly old = new Set<number>();

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

  count(): number {
    let count = 0;
    for (const items of this.pages.values()) for (const item of items) if (item !== undefined) count++;
    return count;
  }

  put(index: number, item: Item): void {
    const page = Math.floor(index / PAGE_ITEMS);
    const items = this.pages.get(page) ?? new Array<Item | undefined>(PAGE_ITEMS).fill(undefined);
    const known = items[index % PAGE_ITEMS];
    // The same object again, so that a row that has not changed is not drawn again.
    if (known === undefined || !isSame(known, item)) items[index % PAGE_ITEMS] = item;
    this.pages.set(page, items);
  }

  /** Forgets the items from this one on. */
  drop(from: number): void {
    for (const [page, items] of this.pages) {
      if ((page + 1) * PAGE_ITEMS <= from) continue;
      if (page * PAGE_ITEMS >= from) this.pages.delete(page);
      else items.fill(undefined, from - page * PAGE_ITEMS);
    }
  }

  clear(): void {
    this.pages.clear();
    this.old.clear();
  }

  /** Forgets the pages farthest from what is looked at, so that memory does not grow with the list. */
  evict(centre: number): void {
    const page = centre / PAGE_ITEMS;
    const farthestFirst = [...this.pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
    for (const far of farthestFirst.slice(0, Math.max(0, farthestFirst.length - KEPT_PAGES))) {
      this.pages.delete(far);
      this.old.delete(far);
    }
  }

  /** The list has another revision now: what is held is shown until it has been renewed. */
  markOld(): void {
    for (const page of this.pages.keys()) this.old.add(page);
  }

  /** These items are of the newest revision: pages that they fill are not old any more. */
  freshen(from: number, to: number, total: number): void {
    for (const page of this.old) {
      if (from <= page * PAGE_ITEMS && to >= Math.min(total, (page + 1) * PAGE_ITEMS)) this.old.delete(page);
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
    return [...this.old].filter((page) => page >= from && page <= to);
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
