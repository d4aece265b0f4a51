import type { Anchor, OpenThread } from "@/components/thread/open-thread";
import type { Row } from "@/lib/wire/rows";
import { indexOfKey, rowAboveFork } from "./loaded-rows";
import { HEADER_PX, type ThreadCore } from "./thread-core";

/** A row that has moved less stands where it was put. */
const MAX_STIR_PX = 20;

/** What a thread was opened at, and the row that stands for it there: it may be one that this view hides. */
type Aim = {
  anchor: Anchor;
  /** No height was named: its row was put in the middle of the list. */
  isInMiddle: boolean;
  windows: OpenThread["windows"];
  key: string;
  selectedKey: string | null;
  /** Where the row came to rest, and the list; `null` while it is opening. */
  rest: { offsetPx: number | null; scrolledPx: number } | null;
};

/**
 * Where the reader is: a record, and how far below the list's upper edge it begins. A view that hides the record shows
 * the row before it, and the place is still the record, until the reader moves: so he comes back to where he was.
 */
export class ReadingPlace {
  readonly #core: ThreadCore;
  #fork: string | null = null;
  #run: string | null = null;
  #released = false;
  #aim: Aim | null = null;
  #back: { to: Anchor | null } | null = null;

  constructor(core: ThreadCore) {
    this.#core = core;
  }

  /** When the thread changes next, it opens at what the address names. */
  release(): void {
    this.#released = true;
  }

  /**
   * When the thread changes next, it opens at this place; `null` for what the address names. Where the focus is in the list
   * that goes then, it is in the one that comes.
   */
  returnTo(to: Anchor | null): void {
    const focused = this.#core.list.current?.hasFocus() ?? false;
    this.#back = { to: to && { ...to, focused } };
  }

  /** The selected row stands for this place, which the view hides: a view that shows it opens there. */
  standFor(place: Pick<Anchor, "recordId" | "block">): void {
    const core = this.#core;
    const { position, selectedKey } = core.get();
    const windows = core.shown()?.windows;
    if (!windows || position.selected === null || selectedKey === null) return;
    const offsetPx = core.list.current?.offsetOf(position.selected) ?? null;
    if (offsetPx === null) return;
    const rest = { offsetPx, scrolledPx: core.list.current?.scrolled() ?? 0 };
    const anchor = { ...place, offsetPx, selected: true };
    this.#aim = { anchor, isInMiddle: false, windows, key: selectedKey, selectedKey, rest };
  }

  /** The row of this key, which offers another branch, stays in place and is selected. */
  holdFork(key: string): void {
    this.#fork = key;
  }

  /** The row of this key, which opens or closes a run, stays in place and is selected. */
  holdRun(key: string): void {
    this.#run = key;
  }

  /** A thread has opened, at the place that it was asked for. */
  opened({ windows, start }: OpenThread, anchor: Anchor | null): void {
    this.#released = false;
    this.#back = null;
    const key = windows.itemAt(start.index)?.key;
    const isInMiddle = start.offsetPx === null;
    this.#aim =
      anchor && key !== undefined
        ? { anchor, isInMiddle, windows, key, selectedKey: null, rest: null }
        : null;
  }

  /** The list that has opened has come to rest. */
  rested(): void {
    const aim = this.#aim;
    const core = this.#core;
    if (!aim) return;
    const offsetPx = this.#offsetOf(aim);
    aim.rest = { offsetPx, scrolledPx: core.list.current?.scrolled() ?? 0 };
    // A link without a height leads to the list's middle, wherever that is.
    if (aim.isInMiddle && offsetPx !== null) aim.anchor = { ...aim.anchor, offsetPx };
    aim.selectedKey = core.get().selectedKey;
  }

  /** What the thread that opens next is to be opened at: where the reader came from, or is; `null` for neither. */
  anchor(isOther = false): Anchor | null {
    if (this.#back) return this.#back.to;
    if (this.#released || isOther) return null;
    return this.#held() ?? this.now();
  }

  /** Where the reader is; `null` while no list is on screen. */
  now(): Anchor | null {
    const list = this.#core.list.current;
    if (!list || !this.#core.shown()) return null;
    // For good: a list that becomes narrower may scroll by as much as its reader has.
    if (this.#aim && !this.#isAtAim(this.#aim)) this.#aim = null;
    return this.#aim ? { ...this.#aim.anchor, focused: list.hasFocus() } : this.seen();
  }

  /** The row that is read: the selected one while it is in view, else the first of which more is seen than its end. */
  seen(): Anchor | null {
    const list = this.#core.list.current;
    if (!list) return null;
    const { first, last } = list.inView();
    const { selected } = this.#core.get().position;
    if (selected !== null && selected >= first && selected <= last) return this.#anchorAt(selected, true);
    const isHidden = (row: number) => (list.offsetOf(row + 1) ?? Number.POSITIVE_INFINITY) < HEADER_PX;
    let row = first;
    while (row < last && isHidden(row)) row += 1;
    return this.#anchorAt(row, false);
  }

  /** The row that was told to stay, a fork or a run, once. */
  #held(): Anchor | null {
    const windows = this.#core.shown()?.windows;
    const fork = this.#fork;
    const run = this.#run;
    this.#fork = null;
    this.#run = null;
    if (!windows) return null;
    const above = rowAboveFork(windows.loaded(), fork);
    if (above) return this.#placed({ ...above, index: above.index + 1 }, { selected: false, fork: true });
    const index = run === null ? null : indexOfKey(windows.loaded(), run);
    return index === null ? null : this.#anchorAt(index, true);
  }

  #anchorAt(index: number, selected: boolean): Anchor | null {
    const windows = this.#core.shown()?.windows;
    const row = windows?.itemAt(index);
    if (!windows || !row) return null;
    // A fork's own record is of the branch that may be left.
    const above = row.kind === "fork" ? windows.itemAt(index - 1) : undefined;
    if (above && selected) return this.#placed({ index, row: above }, { selected: false, fork: true });
    if (above) return this.#placed({ index: index - 1, row: above }, { selected: false });
    return this.#placed({ index, row }, { selected });
  }

  /** `index`: of the row that stands where the place is. */
  #placed(
    { index, row: { recordId, block } }: { index: number; row: Row },
    more: Pick<Anchor, "selected" | "fork">,
  ): Anchor | null {
    const list = this.#core.list.current;
    const offsetPx = list?.offsetOf(index) ?? null;
    if (!list || offsetPx === null) return null;
    return { recordId, block, offsetPx, focused: list.hasFocus(), ...more };
  }

  #isAtAim(aim: Aim): boolean {
    if (this.#core.shown()?.windows !== aim.windows) return false;
    if (aim.rest === null) return true;
    if (this.#core.get().selectedKey !== aim.selectedKey) return false;
    const isNear = (now: number | null | undefined, then: number | null) =>
      now != null && then !== null && Math.abs(now - then) < MAX_STIR_PX;
    // Rows that turn out higher move what is below them, or scroll the list to keep it: a reader does both.
    return (
      isNear(this.#core.list.current?.scrolled(), aim.rest.scrolledPx) ||
      isNear(this.#offsetOf(aim), aim.rest.offsetPx)
    );
  }

  #offsetOf({ windows, key }: Aim): number | null {
    const index = indexOfKey(windows.loaded(), key);
    return index === null ? null : (this.#core.list.current?.offsetOf(index) ?? null);
  }
}
