import { findRow, type OpenThread, threadQuery, toWindow } from "@/components/thread/open-thread";
import { PAGE_ITEMS } from "@/components/thread/thread-windows";
import { ApiError } from "@/lib/client/connection/api-error";
import type { ThreadStanding } from "@/lib/wire/presence";
import { indexOfKey } from "./loaded-rows";
import { HEADER_PX, type ThreadCore, type ThreadList } from "./thread-core";
import type { ThreadSelection } from "./thread-selection";

/** A reader who has opened more has not opened them to show. */
const MAX_OPEN = 200;
/** Rows that come into view turn out higher or lower than was thought, so a place is looked after for so many frames. */
const FRAMES = 6;
const NEAR_PX = 2;

/** How a thread is read, told so that another window can read along; and how it is there, taken over without the focus. */
export class FollowedStanding {
  readonly #core: ThreadCore;
  readonly #selection: ThreadSelection;
  #wanted: ThreadStanding | null = null;
  #isAsking = false;
  /** How many rows there were when the wanted one was not among them. */
  #missedIn: number | null = null;
  /** The rows of a thread that the other reader sees whole, and how many there were when that began. */
  #seenWhole: { windows: OpenThread["windows"]; total: number } | null = null;

  constructor(core: ThreadCore, selection: ThreadSelection) {
    this.#core = core;
    this.#selection = selection;
  }

  now(): ThreadStanding {
    const { open, selectedKey, position } = this.#core.get();
    const list = this.#core.list.current;
    const first = list?.inView().first ?? 0;
    const row = this.#core.shown()?.windows.itemAt(first);
    const height = list?.heightOf(first) ?? 0;
    const above = height > 0 ? -(list?.offsetOf(first) ?? 0) / height : 0;
    return {
      at: list && row ? { key: row.key, recordId: row.recordId, block: row.block } : null,
      above: Math.round(Math.max(0, Math.min(1, above)) * 1_000) / 1_000,
      atEnd: position.atEnd,
      open: [...open].slice(-MAX_OPEN),
      selected: selectedKey,
      showsSelected: this.#selection.inView() !== null,
    };
  }

  /** Has this thread read as another one is. What is not loaded is asked for; a place that this view hides is passed near. */
  take(standing: ThreadStanding): void {
    const core = this.#core;
    this.#wanted = standing;
    this.#missedIn = null;
    const { open, selectedKey } = core.get();
    if (open.size !== standing.open.length || standing.open.some((key) => !open.has(key)))
      core.set({ open: new Set(standing.open) });
    if (standing.selected === null) this.#selection.clear();
    else if (standing.selected !== selectedKey) this.#select(standing.selected);
    this.#bring(standing, FRAMES);
  }

  /** A list has come on screen, as behind the graph: what was told while there was none is taken over now. */
  rested(): void {
    if (this.#wanted) this.#bring(this.#wanted, FRAMES);
  }

  /** So many rows are drawn: one that was missed may be among them, as in a guest's copy, which is behind. */
  drawn(total: number): void {
    const wanted = this.#wanted;
    // What is written at the end of a thread that the other reader sees whole, they see.
    if (wanted && this.#seenWhole && total > this.#seenWhole.total) this.#bring(wanted, FRAMES);
    if (!wanted || this.#missedIn === null || this.#missedIn === total) return;
    this.#missedIn = null;
    if (wanted.selected) this.#select(wanted.selected);
    this.#bring(wanted, FRAMES);
  }

  /** The reader goes their own way. */
  stop(): void {
    this.#wanted = null;
    this.#seenWhole = null;
  }

  #select(key: string): void {
    const windows = this.#core.shown()?.windows;
    const index = windows ? indexOfKey(windows.loaded(), key) : null;
    const row = index === null ? undefined : windows?.itemAt(index);
    if (row && index !== null) this.#selection.select(row, index);
    else this.#selection.clear();
  }

  #bring(standing: ThreadStanding, frames: number): void {
    const list = this.#core.list.current;
    const windows = this.#core.shown()?.windows;
    if (this.#wanted !== standing || !list || !windows || !standing.at) return;
    const again = () => frames > 0 && requestAnimationFrame(() => this.#bring(standing, frames - 1));
    const selected =
      standing.showsSelected && standing.selected !== null
        ? indexOfKey(windows.loaded(), standing.selected)
        : null;
    if (this.#goesToEnd(standing, windows)) {
      const aside = selected === null ? null : fromEndPx(list, selected, windows.getSnapshot().total);
      // A list that has just come on screen may still be going to the place that it had.
      if (aside === null) list.toEnd();
      else if (Math.abs(aside) >= NEAR_PX) list.scrollBy(aside);
      again();
      return;
    }
    const index = indexOfKey(windows.loaded(), standing.at.key);
    if (index === null) return void this.#ask(standing);
    const offsetPx = list.offsetOf(index);
    if (offsetPx === null) return;
    const toPlacePx = offsetPx + standing.above * (list.heightOf(index) ?? 0);
    const movePx = toPlacePx + (selected === null ? 0 : belowViewPx(list, selected, toPlacePx));
    if (Math.abs(movePx) >= NEAR_PX) list.scrollBy(movePx);
    again();
  }

  /**
   * Whether the end is to be in view. Who sees a thread whole is at its beginning as well as at its end: here, where it
   * may not have room, its beginning is shown until something is written.
   */
  #goesToEnd({ at, above, atEnd }: ThreadStanding, windows: OpenThread["windows"]): boolean {
    const isWhole = atEnd && above === 0 && at !== null && windows.itemAt(0)?.key === at.key;
    const { total } = windows.getSnapshot();
    if (!isWhole) this.#seenWhole = null;
    else if (this.#seenWhole?.windows !== windows) this.#seenWhole = { windows, total };
    return atEnd && (this.#seenWhole === null || total > this.#seenWhole.total);
  }

  /** Looks for what is not loaded: one question at a time, and then for where the other reader is by that time. */
  async #ask(standing: ThreadStanding): Promise<void> {
    const core = this.#core;
    const thread = core.shown();
    if (this.#isAsking || !thread || !standing.at) return;
    this.#isAsking = true;
    try {
      const { recordId } = standing.at;
      const query = { ...threadQuery(thread), around: recordId, count: PAGE_ITEMS };
      const answer = await core.source.rows(core.sessionId, query);
      if (core.shown() !== thread) return;
      thread.windows.accept(toWindow(answer));
      const index = findRow(answer, standing.at) ?? answer.near ?? null;
      if (index !== null && this.#wanted === standing) core.list.current?.scrollTo(index, "start");
    } catch (error) {
      // Not written yet here, or of another branch: the next position may be.
      if (!(error instanceof ApiError)) throw error;
    } finally {
      this.#isAsking = false;
    }
    const wanted = this.#wanted;
    if (wanted?.selected) this.#select(wanted.selected);
    if (wanted && wanted !== standing) this.#bring(wanted, FRAMES);
    else if (indexOfKey(thread.windows.loaded(), standing.at.key) !== null) this.#bring(standing, FRAMES);
    else this.#missedIn = thread.windows.getSnapshot().total;
  }
}

/**
 * How much further to scroll than to the other reader's place, so that a row is in view that is below this view, which may
 * be lower than theirs: as little as that takes, and with its first line in view.
 */
function belowViewPx(list: ThreadList, row: number, placePx: number): number {
  const topPx = (list.offsetOf(row) ?? 0) - placePx;
  const belowPx = topPx + (list.heightOf(row) ?? 0) - list.roomPx();
  return Math.max(0, Math.min(belowPx, topPx - HEADER_PX));
}

/** How far to scroll to a row that the view at the thread's end would leave out; `null` where it would show it. */
function fromEndPx(list: ThreadList, row: number, total: number): number | null {
  const topPx = list.offsetOf(row);
  const endPx = (list.offsetOf(total - 1) ?? 0) + (list.heightOf(total - 1) ?? 0);
  if (topPx === null || endPx - topPx <= list.roomPx() - HEADER_PX) return null;
  return topPx - HEADER_PX;
}
