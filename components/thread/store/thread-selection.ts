import { elsewhereOf, type OpenThread, threadQuery, toWindow } from "@/components/thread/open-thread";
import { ApiError } from "@/lib/client/connection/api-error";
import { parseRecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { indexOfKey } from "./loaded-rows";
import type { ThreadCore } from "./thread-core";

/** Which row of a thread is selected: a key, that is followed wherever its row stands. */
export class ThreadSelection {
  readonly #core: ThreadCore;
  /** As it was when it was loaded last. */
  #row: Row | null = null;

  constructor(core: ThreadCore) {
    this.#core = core;
  }

  /** The selected row, while this view shows it and it is loaded. */
  selected(): { index: number; row: Row } | null {
    const { selected: index } = this.#core.get().position;
    const row = index === null ? undefined : this.#core.shown()?.windows.itemAt(index);
    return row && index !== null ? { index, row } : null;
  }

  /** The selected row, while it is in view. */
  inView(): { index: number; row: Row } | null {
    const selected = this.selected();
    const { first, last } = this.#core.get().position;
    return selected && selected.index >= first && selected.index <= last ? selected : null;
  }

  select(row: Row, index: number): void {
    this.#row = row;
    const { selectedKey, position } = this.#core.get();
    if (selectedKey === row.key && position.selected === index) return;
    const chosenFrom = selectedKey === row.key ? this.#core.get().chosenFrom : null;
    this.#core.set({ selectedKey: row.key, position: { ...position, selected: index }, chosenFrom });
  }

  /** Selects this row and all that stand between it and the one that was selected first. */
  extendTo(row: Row, index: number): void {
    const from = this.#core.get().chosenFrom ?? this.selected();
    this.select(row, index);
    const isOne = from === null || from.row.key === row.key;
    this.#core.set({ chosenFrom: isOne ? null : { key: from.row.key, index: from.index, row: from.row } });
  }

  /** The ends of a selection of several rows, the upper one first with its index, while this view shows them. */
  chosen(): { first: Row; last: Row; from: number; rows: number } | null {
    const [from, to] = [this.#core.get().chosenFrom, this.selected()];
    if (!from || !to) return null;
    const [first, last] = from.index < to.index ? [from, to] : [to, from];
    return { first: first.row, last: last.row, from: first.index, rows: last.index - first.index + 1 };
  }

  clear(): void {
    this.#row = null;
    this.#core.set({
      selectedKey: null,
      chosenFrom: null,
      position: { ...this.#core.get().position, selected: null },
    });
  }

  /** Rows have come or gone: the selected key may stand elsewhere, or in a row that took its own in. */
  place(): void {
    this.#placeOther();
    const { selectedKey, position } = this.#core.get();
    const windows = this.#core.shown()?.windows;
    if (selectedKey === null || !windows) return;
    const at = position.selected;
    const there = at === null ? undefined : windows.itemAt(at);
    if (there?.key === selectedKey) {
      this.#row = there;
      return;
    }
    const index = indexOfKey(windows.loaded(), selectedKey);
    const row = index === null ? undefined : windows.itemAt(index);
    if (index !== null && row) return this.select(row, index);
    // Its page has been given up, or is on its way.
    if (at === null || (!there && at < windows.getSnapshot().total)) return;
    const next = this.#row && rowThatHolds(windows.loaded(), this.#row);
    if (next) this.select(next.row, next.index);
    else this.clear();
  }

  /** The other end of a selection goes with its row, or there is none any more. */
  #placeOther(): void {
    const { chosenFrom } = this.#core.get();
    const windows = this.#core.shown()?.windows;
    const there = chosenFrom && windows?.itemAt(chosenFrom.index);
    if (!chosenFrom || !windows || !there || there.key === chosenFrom.key) return;
    const index = indexOfKey(windows.loaded(), chosenFrom.key);
    this.#core.set({ chosenFrom: index === null ? null : { ...chosenFrom, index } });
  }

  /** The selected row stands elsewhere in a thread that has just opened: among what is loaded, or asked for. */
  placeIn(thread: OpenThread): void {
    this.#core.set({ position: { ...this.#core.get().position, selected: null }, chosenFrom: null });
    this.place();
    if (this.#core.get().selectedKey !== null && this.#core.get().position.selected === null)
      void this.#findIn(thread);
  }

  async #findIn(thread: OpenThread): Promise<void> {
    const row = this.#row;
    const core = this.#core;
    if (!row) return;
    try {
      const query = { ...threadQuery(thread), around: row.recordId, count: 1 };
      const answer = await core.source.rows(core.sessionId, query);
      if (core.shown() === thread && answer.at !== null && elsewhereOf(answer, thread.choice) === null)
        thread.windows.accept(toWindow(answer));
    } catch (cause) {
      // Of another branch: it is selected again where it is shown.
      if (!(cause instanceof ApiError)) throw cause;
    }
  }
}

/** The row that a row which is gone is told in now: of those before it in the log, the last (a run, a folded turn). */
export function rowThatHolds(
  loaded: Iterable<[index: number, row: Row]>,
  { recordId }: Pick<Row, "recordId">,
): { index: number; row: Row } | null {
  const gone = parseRecordId(recordId);
  let found: { index: number; row: Row; offset: number } | null = null;
  for (const [index, row] of loaded) {
    const { file, offset } = parseRecordId(row.recordId);
    if (file !== gone.file || offset > gone.offset || (found && offset < found.offset)) continue;
    found = { index, row, offset };
  }
  return found && { index: found.index, row: found.row };
}
