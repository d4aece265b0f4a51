import { findRow, threadQuery, toWindow } from "@/components/thread/open-thread";
import { PAGE_ITEMS } from "@/components/thread/thread-windows";
import { ApiError } from "@/lib/client/connection/api-error";
import type { ThreadStanding } from "@/lib/wire/presence";
import { indexOfKey } from "./loaded-rows";
import type { ThreadCore } from "./thread-core";
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
    if (!wanted || this.#missedIn === null || this.#missedIn === total) return;
    this.#missedIn = null;
    if (wanted.selected) this.#select(wanted.selected);
    this.#bring(wanted, FRAMES);
  }

  /** The reader goes their own way. */
  stop(): void {
    this.#wanted = null;
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
    if (standing.atEnd) {
      // A list that has just come on screen may still be going to the place that it had.
      list.toEnd();
      again();
      return;
    }
    const index = indexOfKey(windows.loaded(), standing.at.key);
    if (index === null) return void this.#ask(standing);
    const offsetPx = list.offsetOf(index);
    if (offsetPx === null) return;
    const movePx = offsetPx + standing.above * (list.heightOf(index) ?? 0);
    if (Math.abs(movePx) >= NEAR_PX) list.scrollBy(movePx);
    again();
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
