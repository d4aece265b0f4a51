import {
  elsewhereOf,
  findRow,
  nearRow,
  type OpenThread,
  threadQuery,
  toWindow,
} from "@/components/thread/open-thread";
import { formatFold, parseFold, type ThreadPosition } from "@/components/thread/thread-position";
import { PAGE_ITEMS } from "@/components/thread/thread-windows";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/connection/api-error";
import type { RecordId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import { indexOfTurn } from "./loaded-rows";
import type { ReadingPlace } from "./reading-place";
import { AHEAD_ROWS, LINKED_PX, type RowAlign, type ThreadCore } from "./thread-core";
import type { ThreadSelection } from "./thread-selection";

/**
 * A place of a thread to go to: a row by its index, a turn by its number, a record, the next or previous error or
 * edit, the fork at or above the reader.
 */
export type ThreadTarget =
  | { row: number; align?: RowAlign }
  | { turn: number }
  | { record: RecordId; block?: number | null }
  /** `around`: behind the last one comes the first. */
  | { error: 1 | -1; around?: boolean }
  | { edit: 1 | -1 }
  | { fork: "above" };

/**
 * A `goTo` under way. `key` is known once its row is loaded and selected. `steps` are rows to step from there, asked for
 * while the place is being found; `null` once it is.
 */
type Journey = {
  key: string | null;
  index: number | null;
  steps: number | null;
  end: (row: Row | null) => void;
};

/** A row of the thread, and where in view it is to stand. `instead`: it stands for this place, which the view hides. */
type Located = { index: number; align: RowAlign; instead?: Place };

type Place = { recordId: RecordId; block: number };

/** A row that has been scrolled to is drawn long before; later than this the reader has gone elsewhere. */
const MAX_ARRIVAL_MS = 2_000;

const NOTHING_AWAITED = { end: false, steps: 0 };

/** The way to a place of a thread: found, loaded, selected, scrolled to, and ended when it is drawn. */
export class ThreadJourneys {
  readonly #core: ThreadCore;
  readonly #selection: ThreadSelection;
  readonly #place: ReadingPlace;
  #journey: Journey | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Where a jump from turn to turn will land: the next one counts from there, not from what is still on screen. */
  #landing: number | null = null;
  /** What was asked for while what was opened, or its rest, is on its way: to go to its end, rows to step. */
  #awaited = NOTHING_AWAITED;
  #drawn: { selected: number | null; first: number; last: number } | null = null;
  #firstDrawn: (() => void)[] = [];

  constructor(core: ThreadCore, selection: ThreadSelection, place: ReadingPlace) {
    this.#core = core;
    this.#selection = selection;
    this.#place = place;
  }

  /**
   * Goes to a place of the thread. Resolves with its row when that is selected and drawn; with `null` when the
   * reader goes elsewhere first, or there is no such place: then he has been told. Of a record that the view hides the
   * row before its place is selected, and a view that shows it leads to it.
   */
  async goTo(target: ThreadTarget): Promise<Row | null> {
    const arrived = this.#setOut();
    const journey = this.#journey;
    try {
      const found = await this.#locate(target);
      if (!journey || this.#journey !== journey) return await arrived;
      const steps = journey.steps ?? 0;
      journey.steps = null;
      if (found === "elsewhere") return await arrived;
      if (found === null) this.arrive(null);
      else await this.#bring(found.index, found.align);
      if (steps !== 0 && (this.#journey === journey || this.#journey === null)) this.step(steps);
      else if (found?.instead && (await arrived)) {
        this.#place.standFor(found.instead);
        return null;
      }
    } catch (error) {
      if (this.#journey === journey) this.arrive(null);
      if (!(error instanceof ApiError)) throw error;
      toast(error.words, "err");
    }
    return arrived;
  }

  /**
   * Selects the next row, or one before; from a selection out of view, the first in view. Steps below the last row of a
   * beginning are gone when the rest is there.
   */
  step(by: number): void {
    const { end, steps } = this.#awaited;
    if (this.#isOnItsWay() || end || steps !== 0) return this.#await({ end, steps: steps + by });
    if (this.#journey?.steps != null) {
      this.#journey.steps += by;
      return;
    }
    const { first, last, total, selected: at } = this.#core.get().position;
    if (total === 0) return;
    const selected = this.#journey?.index ?? at;
    const onScreen = selected !== null && selected >= first - 1 && selected <= last + 1;
    const isUnderWay = this.#journey?.index != null;
    const row = selected !== null && (onScreen || isUnderWay) ? selected + by : first;
    void this.goTo({ row, align: "auto" });
    const below = row - (total - 1);
    if (below > 0 && this.#core.isBeginning()) this.#await({ end: false, steps: below });
  }

  /** Selects the last row; of a beginning that of the whole, when it is there. */
  async toEnd(): Promise<void> {
    if (this.#isOnItsWay() || this.#core.isBeginning()) this.#await({ end: true, steps: 0 });
    else await this.goTo({ row: this.#core.get().position.total - 1 });
  }

  /** Does what was asked for while the thread was on its way. */
  async goAwaited(): Promise<void> {
    await this.whenDrawn();
    const { end, steps } = this.#awaited;
    this.#await(NOTHING_AWAITED);
    if (end) await this.toEnd();
    if (steps !== 0) this.step(steps);
  }

  #await(awaited: { end: boolean; steps: number }): void {
    this.#awaited = awaited;
    this.#tellAwaiting(awaited.end || awaited.steps !== 0);
  }

  #tellAwaiting(isAwaiting: boolean): void {
    const core = this.#core;
    const awaitsRest = isAwaiting && core.isBeginning();
    if (awaitsRest !== core.get().awaitsRest) core.set({ awaitsRest });
  }

  /**
   * The thread as a whole, drawn; `null` where it cannot be had, of which the reader is told. Where something is in a thread
   * the server knows no sooner.
   */
  async #whole(): Promise<OpenThread | null> {
    const core = this.#core;
    if (!core.isBeginning()) return core.shown();
    this.#tellAwaiting(true);
    const whole = await core.whenShown().catch(() => null);
    if (whole) await this.whenDrawn();
    return whole;
  }

  /** What was chosen is not on screen yet: the first thread after a reload, or another than the one that is. */
  #isOnItsWay(): boolean {
    const { thread, choice, position } = this.#core.get();
    if (this.#core.shown() === null || position.total === 0) return true;
    return thread !== null && thread.choice.key !== choice.key;
  }

  /** The next prompt, or the one before; from inside a turn, its own comes first. */
  async stepTurn(by: 1 | -1): Promise<void> {
    const { first, turn } = this.#core.get().position;
    const windows = this.#core.shown()?.windows;
    // A reader who is being brought to a row is there, whatever is still on screen.
    const target = this.#journey?.index ?? null;
    const bound = target === null ? undefined : windows?.itemAt(target);
    const row = bound ?? this.#selection.inView()?.row ?? windows?.itemAt(first);
    const isInside = by === -1 && row !== undefined && row.kind !== "turn";
    const from = this.#landing === null ? (row?.turn ?? turn) + (isInside ? 0 : by) : this.#landing + by;
    const landing = Math.max(1, from);
    this.#landing = landing;
    try {
      await this.goTo({ turn: landing });
    } finally {
      if (this.#landing === landing) this.#landing = null;
    }
  }

  /** Begins a journey; one under way ends where it is. */
  #setOut(): Promise<Row | null> {
    this.leave();
    return new Promise((resolve) => {
      this.#journey = { key: null, index: null, steps: 0, end: resolve };
    });
  }

  /** The reader goes elsewhere: ends the journey under way, and what was to follow it. */
  leave(): void {
    this.arrive(null);
    this.#await(NOTHING_AWAITED);
  }

  /** Ends the journey under way, if there is one. */
  arrive(row: Row | null): void {
    clearTimeout(this.#timer);
    const journey = this.#journey;
    this.#journey = null;
    journey?.end(row);
  }

  async #locate(target: ThreadTarget): Promise<Located | "elsewhere" | null> {
    const core = this.#core;
    const shown = core.shown();
    if (!shown) return null;
    if ("row" in target) return { index: target.row, align: target.align ?? "start" };
    const known = "turn" in target ? indexOfTurn(shown.windows.loaded(), target.turn) : null;
    if (known !== null) return { index: known, align: "start" };
    const thread = await this.#whole();
    if (!thread) return null;
    if ("turn" in target) {
      const from = Math.max(0, target.turn - 1);
      const query = { ...threadQuery(thread), from, count: 1 };
      const { turns } = await core.source.outline(core.sessionId, query);
      return turns[0] ? { index: turns[0].row, align: "start" } : null;
    }
    if ("record" in target) return this.#locateRecord(thread, target);
    if ("error" in target) return this.#locateError(thread, target);
    return "edit" in target ? this.#locateEdit(thread, target.edit) : this.#locateFork(thread);
  }

  async #locateRecord(
    thread: OpenThread,
    { record, block = null }: Extract<ThreadTarget, { record: RecordId }>,
  ): Promise<Located | "elsewhere" | null> {
    const journey = this.#journey;
    const core = this.#core;
    // The branch is named even where the address names none: around a record of another one that would be answered.
    const query = { ...threadQuery(thread), around: record, count: PAGE_ITEMS };
    const { branch } = core.options.address.get();
    const answer = await core.source.rows(core.sessionId, query);
    // Back may have led to another branch meanwhile: the reader is not taken away again.
    if (this.#journey !== journey || core.options.address.get().branch !== branch) return null;
    const elsewhere = elsewhereOf(answer, thread.choice);
    if (elsewhere && core.options.onElsewhere) {
      core.options.onElsewhere(elsewhere, record);
      return "elsewhere";
    }
    const index = findRow(answer, { recordId: record, block });
    if (index === null) return this.#locateHidden(thread, answer, { recordId: record, block: block ?? 0 });
    thread.windows.accept(toWindow(answer));
    return { index, align: "center" };
  }

  /** Unfolds the turn of a record, or answers the row before the place of one that the detail leaves out. */
  #locateHidden(thread: OpenThread, answer: RowsResponse, place: Place): Located | "elsewhere" | null {
    const { address } = this.#core.options;
    const near = nearRow(answer);
    const row = near === null ? undefined : answer.rows[near - answer.from];
    const folds = parseFold(address.get().fold ?? "");
    if (row?.kind === "turn" && row.folded && folds.delete(row.turn)) {
      this.#place.returnTo({ ...place, offsetPx: LINKED_PX, selected: true });
      address.set({ fold: formatFold(folds) });
      return "elsewhere";
    }
    const isWhole = thread.choice.detail === "everything";
    toast(
      isWhole
        ? "That record has no row in this thread"
        : "That record is hidden in this view: press 4 to show everything",
    );
    if (near === null) return null;
    thread.windows.accept(toWindow(answer));
    return { index: near, align: "center", instead: place };
  }

  async #locateError(
    thread: OpenThread,
    { error: by, around = false }: Extract<ThreadTarget, { error: 1 | -1 }>,
  ): Promise<Located | null> {
    const core = this.#core;
    const { rows, hidden, elsewhere } = await core.source.errors(core.sessionId, threadQuery(thread));
    const next = this.#nextOf(rows, by);
    if (next !== undefined) return { index: next, align: "center" };
    const [first] = rows;
    if (around && first !== undefined && first !== this.#core.get().position.selected) {
      toast("No error below: back at the first");
      return { index: first, align: "center" };
    }
    const beyond = hidden + elsewhere > 0 ? `; ${hidden + elsewhere} elsewhere, listed above` : "";
    toast(`${by === 1 ? "No error below" : "No error above"}${beyond}`);
    return null;
  }

  async #locateEdit(thread: OpenThread, by: 1 | -1): Promise<Located | null> {
    const core = this.#core;
    const { edits } = await core.source.errors(core.sessionId, threadQuery(thread));
    const next = this.#nextOf(edits, by);
    if (next !== undefined) return { index: next, align: "center" };
    toast(edits.length === 0 ? "No edit in this view" : by === 1 ? "No edit below" : "No edit above");
    return null;
  }

  async #locateFork(thread: OpenThread): Promise<Located | null> {
    const core = this.#core;
    const { forks } = await core.source.errors(core.sessionId, threadQuery(thread));
    const at = this.#selection.inView()?.index ?? core.get().position.last;
    const fork = forks.findLast((row) => row <= at) ?? forks[0];
    if (fork !== undefined) return { index: fork, align: "auto" };
    toast("This thread has no other branch");
    return null;
  }

  /** The next of these rows below the reader, or above. */
  #nextOf(rows: readonly number[], by: 1 | -1): number | undefined {
    const { first } = this.#core.get().position;
    const from = this.#selection.inView()?.index ?? (by === 1 ? first - 1 : first);
    return by === 1 ? rows.find((row) => row > from) : rows.findLast((row) => row < from);
  }

  /** Loads, selects and scrolls to a row. */
  async #bring(index: number, align: RowAlign): Promise<void> {
    const journey = this.#journey;
    const core = this.#core;
    const windows = core.shown()?.windows;
    if (!windows || !journey) return this.arrive(null);
    const row = Math.max(0, Math.min(windows.getSnapshot().total - 1, index));
    journey.index = row;
    if (!windows.itemAt(row)) await windows.ensure(row - AHEAD_ROWS, row + AHEAD_ROWS);
    // The reader has gone elsewhere while the rows were on their way.
    if (this.#journey !== journey) return;
    const item = windows.itemAt(row);
    const list = core.list.current;
    if (!item || !list || core.shown()?.windows !== windows) return this.arrive(null);
    list.focus();
    this.#selection.select(item, row);
    this.#expect(item.key, row);
    list.scrollTo(row, align);
    this.#settle();
  }

  #expect(key: string, index: number): void {
    if (!this.#journey) return;
    this.#journey.key = key;
    this.#journey.index = index;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.arrive(null), MAX_ARRIVAL_MS);
  }

  /** What was asked for in another view has opened, and stands here. */
  goOnTo(key: string, index: number): void {
    if (this.#journey?.key === null) this.#expect(key, index);
  }

  /** Ends the journey when its row is selected and drawn. */
  #settle(): void {
    const journey = this.#journey;
    const drawn = this.#drawn;
    const selected = this.#selection.selected();
    if (!journey || journey.key === null || !drawn || selected?.row.key !== journey.key) return;
    const { index, row } = selected;
    if (drawn.selected === index && drawn.first <= index && index <= drawn.last) this.arrive(row);
  }

  /** Called by the list when it has drawn: where the reader is, and which row stands there as the selected one. */
  onDrawn(position: ThreadPosition): void {
    const { selected, first, last } = position;
    this.#drawn = { selected, first, last };
    const old = this.#core.get().position;
    const next = { ...position, selected: old.selected };
    const names = Object.keys(next) as (keyof ThreadPosition)[];
    if (names.some((name) => next[name] !== old[name])) this.#core.set({ position: next });
    this.#settle();
    for (const done of this.#firstDrawn.splice(0)) done();
  }

  /** Another thread comes on screen, which has not been drawn. */
  awaitDrawing(): void {
    this.#drawn = null;
  }

  /** Resolves when the list has drawn the thread on screen. */
  whenDrawn(): Promise<void> {
    return this.#drawn ? Promise.resolve() : new Promise((resolve) => this.#firstDrawn.push(resolve));
  }
}
