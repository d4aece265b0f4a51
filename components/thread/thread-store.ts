import type { RowState } from "@/components/content/row-state";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import type { BranchId, RecordId } from "@/lib/wire/ids";
import type { ThreadStanding } from "@/lib/wire/presence";
import type { Row } from "@/lib/wire/rows";
import type { Anchor, OpenThread } from "./open-thread";
import { FollowedStanding } from "./store/followed-standing";
import { LinkedLines } from "./store/linked-lines";
import { OpenRows } from "./store/open-rows";
import { ReadingPlace } from "./store/reading-place";
import { ThreadCore, type ThreadState, type ThreadStoreOptions } from "./store/thread-core";
import { ThreadJourneys, type ThreadTarget } from "./store/thread-journeys";
import { type Opening, ThreadOpening } from "./store/thread-opening";
import { ThreadSelection } from "./store/thread-selection";
import type { ThreadPosition } from "./thread-position";

/** The state of one thread on screen: the page's, an agent's in a pane, or one inside a call. */
export function createThreadStore(options: ThreadStoreOptions): ThreadStore {
  return new ThreadStore(options);
}

/** What a thread can be asked and told, whichever of its parts in `store` does it: each says there what it means. */
export class ThreadStore {
  readonly #core: ThreadCore;
  readonly #selection: ThreadSelection;
  readonly #journeys: ThreadJourneys;
  readonly #reading: ReadingPlace;
  readonly #opening: ThreadOpening;
  readonly #rows: OpenRows;
  readonly #followed: FollowedStanding;
  /** The lines that the address names, and whether the reader has been taken to them. */
  readonly linkedLines = new LinkedLines();

  constructor(options: ThreadStoreOptions) {
    this.#core = new ThreadCore(options);
    this.#selection = new ThreadSelection(this.#core);
    this.#reading = new ReadingPlace(this.#core);
    this.#journeys = new ThreadJourneys(this.#core, this.#selection, this.#reading);
    this.#opening = new ThreadOpening(
      this.#core,
      this.#selection,
      this.#journeys,
      this.#reading,
      this.linkedLines,
    );
    this.#rows = new OpenRows(this.#core, this.#selection, this.#reading);
    this.#followed = new FollowedStanding(this.#core, this.#selection);
  }

  get sessionId() {
    return this.#core.sessionId;
  }
  get source() {
    return this.#core.source;
  }
  get list() {
    return this.#core.list;
  }
  get = (): ThreadState => this.#core.get();
  subscribe = (listener: () => void): (() => void) => this.#core.subscribe(listener);
  shown = (): OpenThread | null => this.#core.shown();

  show = (choice: ThreadChoice, opening?: Opening): (() => void) => this.#opening.show(choice, opening);
  wasRestored = (): boolean => this.#opening.wasRestored;
  whenShown = (): Promise<OpenThread> => this.#core.whenShown();
  dispose = (): void => this.#opening.dispose();
  /** Asks for the thread again, after a failure. */
  retry = (): void => this.#core.set({ attempt: this.get().attempt + 1 });

  selected = (): { index: number; row: Row } | null => this.#selection.selected();
  /** The selected row, else the first in view. */
  rowAtHand = (): Row | null =>
    this.selected()?.row ?? this.shown()?.windows.itemAt(this.get().position.first) ?? null;
  /** Selects a loaded row by its index, as a click does. */
  selectIndex = (index: number): void => {
    const row = this.shown()?.windows.itemAt(index);
    if (!row) return;
    this.#journeys.leave();
    this.unchoose();
    this.#selection.select(row, index);
  };
  /** Selects all rows from the one that was selected first to this one. */
  extendTo = (index: number): void => {
    const row = this.shown()?.windows.itemAt(index);
    if (!row) return;
    this.#journeys.leave();
    this.#selection.extendTo(row, index);
  };
  /** Selects one row more or less. */
  extend = (by: 1 | -1): void => {
    const { selected, total } = this.get().position;
    const to = (selected ?? this.get().position.first) + by;
    if (to < 0 || to >= total) return;
    this.extendTo(to);
    this.#core.list.current?.scrollTo(to, "auto");
    this.#core.list.current?.focus();
  };
  chosen = (): ReturnType<ThreadSelection["chosen"]> => this.#selection.chosen();
  /** Leaves one of several selected rows selected. */
  unchoose = (): void => {
    if (this.get().chosenFrom !== null) this.#core.set({ chosenFrom: null });
  };

  goTo = (target: ThreadTarget): Promise<Row | null> => this.#journeys.goTo(target);
  step = (by: number): void => this.#journeys.step(by);
  toEnd = (): Promise<void> => this.#journeys.toEnd();
  /** The reader goes elsewhere: what was asked for and is under way, or waits for the rest of the thread, is not done. */
  leave = (): void => this.#journeys.leave();
  stepTurn = (by: 1 | -1): Promise<void> => this.#journeys.stepTurn(by);
  onDrawn = (position: ThreadPosition): void => {
    this.#journeys.onDrawn(position);
    this.#followed.drawn(position.total);
  };
  whenDrawn = (): Promise<void> => this.#journeys.whenDrawn();

  release = (): void => this.#reading.release();
  /** Where the reader is; `null` while no list is on screen. */
  place = (): Anchor | null => this.#reading.now();
  /** As `place`, of the rows that this view shows. */
  seen = (): Anchor | null => this.#reading.seen();
  /** Keys of the rows in view that are open. */
  openInView = (): string[] => {
    const { open, position } = this.get();
    const { windows } = this.shown() ?? {};
    const { first, last } = position;
    const keys = Array.from({ length: last - first + 1 }, (_, row) => windows?.itemAt(first + row)?.key);
    return keys.filter((key) => key !== undefined && open.has(key)) as string[];
  };
  returnTo = (place: Anchor | null): void => this.#reading.returnTo(place);
  /** The list on screen has come to rest. */
  rested = (): void => {
    this.#reading.rested();
    this.#followed.rested();
  };

  standing = (): ThreadStanding => this.#followed.now();
  standAs = (standing: ThreadStanding | null): void =>
    standing ? this.#followed.take(standing) : this.#followed.stop();

  /** What was unfolded in a row, until the row is closed. */
  unfoldedIn = (key: string): RowState => this.#rows.unfolded.of(key);
  toggleOpen = (key: string): void => this.#rows.toggleOpen(key);
  openRow = (key: string): void => this.#rows.openRow(key);
  expandTurn = (): void => this.#rows.expandTurn();
  toggleSelected = (): void => this.#rows.toggleSelected();
  toggleFold = (turn: number): void => this.#rows.toggleFold(turn);
  toggleRun = (run: string): void => this.#rows.toggleRun(run);
  switchBranch = (branch: BranchId, fork?: Pick<Row, "key">): void => this.#rows.switchBranch(branch, fork);

  /**
   * Goes to the next error, or the one before, and opens a failed call, so that its output is read. `around`: behind the
   * last one to the first.
   */
  async stepError(by: 1 | -1, around = false): Promise<void> {
    const row = await this.goTo({ error: by, around });
    if (row?.kind === "tool") this.openRow(row.key);
  }

  /** Goes to the fork at or above the reader, or else to the first, and takes the next of its branches or the one before. */
  async stepBranch(by: 1 | -1): Promise<void> {
    const row = await this.goTo({ fork: "above" });
    if (row?.kind !== "fork") return;
    const { branches } = row;
    const current = branches.findIndex((branch) => branch.current);
    const next = branches[(current + by + branches.length) % branches.length];
    if (next && !next.current) this.switchBranch(next.id, row);
  }

  setHits(hits: readonly RecordId[], hitsOf: string | null): void {
    const before = this.get();
    if (hits !== before.hits || hitsOf !== before.hitsOf) this.#core.set({ hits, hitsOf });
  }
}
