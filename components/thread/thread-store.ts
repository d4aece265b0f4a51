import { createStore } from "zustand/vanilla";
import { toast } from "@/components/ui/toast";
import { ApiError, api } from "@/lib/client/api";
import {
  parsePermalink,
  type ThreadChoice,
  type ThreadUrl,
  toggledRun,
  withRuns,
} from "@/lib/client/session-url";
import { toggled } from "@/lib/client/toggled";
import { type BranchId, parseRecordId, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { ScanProgress } from "@/lib/wire/session";
import { forkAnchor, indexOfKey, type KeptPlace } from "./list/scroll-restoration";
import {
  type Anchor,
  continueThread,
  type Elsewhere,
  elsewhereOf,
  findRow,
  type OpenThread,
  openThread,
  startAtHeld,
  type ThreadSource,
  threadQuery,
  toWindow,
} from "./open-thread";
import { formatFold, parseFold, type ThreadPosition } from "./thread-position";
import { PAGE_ITEMS } from "./thread-windows";

/**
 * A place of a thread to go to: a row by its index, a turn by its number, a record, the next or previous error or
 * edit, the fork at or above the reader.
 */
export type ThreadTarget =
  | { row: number; align?: RowAlign }
  | { turn: number }
  | { record: RecordId; block?: number | null }
  | { error: 1 | -1 }
  | { edit: 1 | -1 }
  | { fork: "above" };

export type RowAlign = "start" | "center" | "auto";

/** What the list of rows on screen can do, and what only its layout knows. Indexes are of rows. */
export type ThreadList = {
  /** Scrolls until the row is in view. `auto`: as little as that takes. */
  scrollTo: (index: number, align: RowAlign) => void;
  /** Gives the row the focus as soon as it is in the page. */
  focus: () => void;
  scrollToShare: (share: number) => void;
  /** Brings the end into view; what is written then keeps it there. */
  toEnd: () => void;
  /** Brings the row's first line into view, if it is above or below: a key opens or closes it. */
  reveal: (index: number) => void;
  /** How far below the list's upper edge a row begins; `null` for one that has no place yet. */
  offsetOf: (index: number) => number | null;
  inView: () => { first: number; last: number };
  hasFocus: () => boolean;
  /** The row at the top of the view, and where it begins. */
  topPlace: () => KeptPlace | null;
};

/** The part of the address, or of what stands for it in a pane, that says which rows a thread shows. */
export type ThreadAddress = Pick<ThreadUrl, "branch" | "runs" | "fold">;

export type ThreadStoreOptions = {
  sessionId: SessionId;
  choice: ThreadChoice;
  /** Where rows come from: the API, but in tests. */
  source?: ThreadSource;
  /** What toggles and `switchBranch` change. Its newest state is asked for each time: two may come in one frame. */
  address: { get: () => ThreadAddress; set: (change: Partial<ThreadAddress>) => void };
  /** Keys of rows that are open from the start. */
  open?: ReadonlySet<string>;
  /** A record is asked for that another view shows (`null`: the one that the address names). Without it the reader is told. */
  onElsewhere?: ((where: Elsewhere, recordId: RecordId | null) => void) | undefined;
};

/** How a thread opens when it has no row on screen to stay at. */
export type Opening = {
  /** The place that the address names. */
  at?: string | null;
  toEnd?: boolean;
  /** Where the reader was, after a reload or on the way back. */
  restored?: () => Anchor | null;
};

export type ThreadState = {
  choice: ThreadChoice;
  thread: OpenThread | null;
  /** Its first rows, while the server still reads the session and the thread is not there. */
  beginning: OpenThread | null;
  scanning: ScanProgress["scanning"] | null;
  error: Error | null;
  /** Counts the wishes to try again. */
  attempt: number;
  /** Keys of the rows that are open. */
  open: ReadonlySet<string>;
  selectedKey: string | null;
  /** Where the reader is; `selected` is where the selected key stands now, `null` where this view does not show it. */
  position: ThreadPosition;
  /** Records of this thread in which something was found. */
  hits: readonly RecordId[];
  /** The query whose hits these are, once all of them are known. */
  hitsOf: string | null;
};

/** A `goTo` under way. `key` is known once its row is loaded and selected. */
type Journey = { key: string | null; index: number | null; end: (row: Row | null) => void };

/** A row that has been scrolled to is drawn long before; later than this the reader has gone elsewhere. */
const MAX_ARRIVAL_MS = 2_000;
/** Rows around a target that are loaded with it. */
export const AHEAD_ROWS = 20;
const AT_START: ThreadPosition = {
  first: 0,
  last: 0,
  total: 0,
  turn: 0,
  selected: null,
  atEnd: false,
  fresh: 0,
};

/** The state of one thread on screen: the page's, an agent's in a pane, or one inside a call. */
export function createThreadStore(options: ThreadStoreOptions): ThreadStore {
  return new ThreadStore(options);
}

export class ThreadStore {
  readonly sessionId: SessionId;
  readonly source: ThreadSource;
  /** The list that draws the rows, while it is in the page. */
  readonly list: { current: ThreadList | null } = { current: null };
  private readonly store;
  private readonly options: ThreadStoreOptions;
  private journey: Journey | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Where a jump from turn to turn will land: the next one counts from there, not from what is still on screen. */
  private landing: number | null = null;
  /** Rows to step while what was opened is on its way. */
  private stepsAwaited = 0;
  private selectedRow: Row | null = null;
  private heldFork: string | null = null;
  private heldRun: string | null = null;
  private released = false;
  private drawn: { selected: number | null; first: number; last: number } | null = null;
  private firstDrawn: (() => void)[] = [];
  private unfollow: () => void = () => undefined;

  constructor(options: ThreadStoreOptions) {
    this.options = options;
    this.sessionId = options.sessionId;
    this.source = options.source ?? api;
    this.store = createStore<ThreadState>(() => ({
      choice: options.choice,
      thread: null,
      beginning: null,
      scanning: null,
      error: null,
      attempt: 0,
      open: options.open ?? new Set(),
      selectedKey: null,
      position: AT_START,
      hits: [],
      hitsOf: null,
    }));
  }

  get = (): ThreadState => this.store.getState();
  subscribe = (listener: () => void): (() => void) => this.store.subscribe(listener);

  private set(change: Partial<ThreadState>): void {
    this.store.setState(change);
  }

  /** The thread, or as much of its beginning as there is. */
  shown(): OpenThread | null {
    const { thread, beginning } = this.get();
    return thread ?? beginning;
  }

  /** The selected row, while this view shows it and it is loaded. */
  selected(): { index: number; row: Row } | null {
    const { selected: index } = this.get().position;
    const row = index === null ? undefined : this.shown()?.windows.itemAt(index);
    return row && index !== null ? { index, row } : null;
  }

  /** The selected row, else the first in view. */
  rowAtHand(): Row | null {
    return this.selected()?.row ?? this.shown()?.windows.itemAt(this.get().position.first) ?? null;
  }

  // Opening

  /**
   * Opens the chosen thread: where the reader was in the thread before or in this one, else at what the address
   * points to, else at its first prompt. The thread before stays until the next one is there, and a beginning until
   * the whole is. Call it again after a change of choice, or of `attempt`.
   * @returns gives the opening up
   */
  show(choice: ThreadChoice, { at = null, toEnd = false, restored }: Opening = {}): () => void {
    const controller = new AbortController();
    const { signal } = controller;
    const before = this.shown();
    const kept = this.anchor() ?? restored?.() ?? null;
    // Without a row on screen (the graph is there instead) what the address names holds again.
    const place = kept ? null : parsePermalink(at);
    const isOther = before !== null && before.choice.agent !== choice.agent;
    if (isOther) this.clearSelection();
    this.set({ choice });

    let beginning: OpenThread | null = null;
    const onBeginning = (begun: OpenThread) => {
      if (signal.aborted) return;
      beginning = begun;
      this.set({ beginning: begun });
      this.present(begun);
    };
    const onScan = (scanning: ScanProgress["scanning"]) => {
      if (!signal.aborted) this.set({ scanning });
    };
    const opening = { place: place ?? kept, toEnd: toEnd && !before && !place };
    const { sessionId, source } = this;
    const open = async () => {
      const opened = await openThread({ sessionId, source, choice }, opening, signal, {
        onScan,
        onBeginning,
      });
      if (!beginning) return opened;
      const anchor = () => this.anchor();
      const thread = await continueThread({ sessionId, source }, beginning, opened.thread, anchor, signal);
      return { ...opened, thread };
    };
    void open().then(
      ({ thread, found, elsewhere }) => {
        if (signal.aborted) return thread.windows.dispose();
        if (place && elsewhere && this.options.onElsewhere) {
          // The view that shows the record opens next, in this one's place.
          thread.windows.dispose();
          return this.options.onElsewhere(elsewhere, null);
        }
        this.shown()?.windows.dispose();
        if (found !== null) {
          thread.start = kept
            ? startAtHeld(found, kept)
            : { index: found, selected: true, offsetPx: null, atEnd: false };
        } else if (place) toast("The linked record is hidden in this view", "err");
        this.set({ thread, beginning: null, scanning: null, error: null });
        this.present(thread);
        this.stepAwaited();
      },
      (error: unknown) => {
        if (signal.aborted) return;
        this.set({ scanning: null, error: error instanceof Error ? error : new Error(String(error)) });
        this.arrive(null);
      },
    );
    return () => controller.abort();
  }

  /** The thread that is being opened, when it is there. Rejects with the reason when it can't be. */
  whenShown(): Promise<OpenThread> {
    return new Promise((resolve, reject) => {
      let unsubscribe = () => undefined as void;
      const look = () => {
        const { thread, error } = this.get();
        if (!thread && !error) return;
        unsubscribe();
        if (thread) resolve(thread);
        else reject(error ?? new Error("The thread was not opened."));
      };
      unsubscribe = this.subscribe(look);
      look();
    });
  }

  /** Asks for the thread again, after a failure. */
  retry = (): void => this.set({ attempt: this.get().attempt + 1 });

  /** Gives up what is under way. What is on screen stays; `show` begins again. */
  dispose(): void {
    this.arrive(null);
    this.unfollow();
    this.shown()?.windows.dispose();
  }

  /** Has the rows of a thread that has just opened stand for this store's. */
  private present(thread: OpenThread): void {
    const { windows, start } = thread;
    this.released = false;
    this.drawn = null;
    this.unfollow();
    this.unfollow = windows.subscribe(() => this.placeSelection());
    const index = start.fork ? start.index + 1 : start.selected ? start.index : null;
    const row = index === null ? undefined : windows.itemAt(index);
    if (index !== null && row) {
      this.select(row, index);
      // What was asked for in another view stands here.
      if (this.journey?.key === null) this.expect(row.key, index);
      return;
    }
    this.set({ position: { ...this.get().position, selected: null } });
    this.placeSelection();
    if (this.get().selectedKey !== null && this.get().position.selected === null)
      void this.findSelected(thread);
  }

  /** Where a selected row stands in a thread that has opened elsewhere. */
  private async findSelected(thread: OpenThread): Promise<void> {
    const row = this.selectedRow;
    if (!row) return;
    try {
      const query = { ...threadQuery(thread), around: row.recordId, count: 1 };
      const answer = await this.source.rows(this.sessionId, query);
      if (this.shown() === thread && answer.at !== null && elsewhereOf(answer, thread.choice) === null)
        thread.windows.accept(toWindow(answer));
    } catch (cause) {
      // Of another branch: it is selected again where it is shown.
      if (!(cause instanceof ApiError)) throw cause;
    }
  }

  // Selecting

  /** Selects a loaded row by its index, as a click does. */
  selectIndex = (index: number): void => {
    const row = this.shown()?.windows.itemAt(index);
    if (!row) return;
    this.arrive(null);
    this.select(row, index);
  };

  private select(row: Row, index: number): void {
    this.selectedRow = row;
    const { selectedKey, position } = this.get();
    if (selectedKey === row.key && position.selected === index) return;
    this.set({ selectedKey: row.key, position: { ...position, selected: index } });
  }

  private clearSelection(): void {
    this.selectedRow = null;
    this.set({ selectedKey: null, position: { ...this.get().position, selected: null } });
  }

  /** Rows have come or gone: the selected key may stand elsewhere, or in a row that took its own in. */
  private placeSelection(): void {
    const { selectedKey, position } = this.get();
    const windows = this.shown()?.windows;
    if (selectedKey === null || !windows) return;
    const at = position.selected;
    const there = at === null ? undefined : windows.itemAt(at);
    if (there?.key === selectedKey) {
      this.selectedRow = there;
      return;
    }
    const index = indexOfKey(windows.loaded(), selectedKey);
    const row = index === null ? undefined : windows.itemAt(index);
    if (index !== null && row) return this.select(row, index);
    // Its page has been given up, or is on its way.
    if (at === null || (!there && at < windows.getSnapshot().total)) return;
    const next = this.selectedRow && rowThatHolds(windows.loaded(), this.selectedRow);
    if (next) this.select(next.row, next.index);
    else this.clearSelection();
  }

  // Going

  /**
   * Goes to a place of the thread. Resolves with its row when that is selected and drawn; with `null` when the
   * reader goes elsewhere first, or there is no such place: then he has been told.
   */
  async goTo(target: ThreadTarget): Promise<Row | null> {
    const arrived = this.setOut();
    const journey = this.journey;
    try {
      const found = await this.locate(target);
      if (this.journey !== journey) return await arrived;
      if (found === "elsewhere") return await arrived;
      if (found === null) this.arrive(null);
      else await this.bring(found.index, found.align);
    } catch (error) {
      if (this.journey === journey) this.arrive(null);
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, "err");
    }
    return arrived;
  }

  /** Selects the next row, or one before; from a selection out of view, the first in view. */
  step(by: number): void {
    const { thread, choice, position } = this.get();
    if (thread !== null && thread.choice.key !== choice.key) {
      this.stepsAwaited += by;
      return;
    }
    const { first, last, total } = position;
    if (total === 0) return;
    const selected = this.journey?.index ?? position.selected;
    const onScreen = selected !== null && selected >= first - 1 && selected <= last + 1;
    const isUnderWay = this.journey?.index != null;
    const row = selected !== null && (onScreen || isUnderWay) ? selected + by : first;
    void this.goTo({ row, align: "auto" });
  }

  private stepAwaited(): void {
    const by = this.stepsAwaited;
    this.stepsAwaited = 0;
    if (by !== 0) void this.whenDrawn().then(() => this.step(by));
  }

  /** The next prompt, or the one before; from inside a turn, its own comes first. */
  async stepTurn(by: 1 | -1): Promise<void> {
    const { first, turn } = this.get().position;
    const row = this.selectedInView()?.row ?? this.shown()?.windows.itemAt(first);
    const isInside = by === -1 && row !== undefined && row.kind !== "turn";
    const from = this.landing === null ? (row?.turn ?? turn) + (isInside ? 0 : by) : this.landing + by;
    const target = Math.max(1, from);
    this.landing = target;
    try {
      await this.goTo({ turn: target });
    } finally {
      if (this.landing === target) this.landing = null;
    }
  }

  private selectedInView(): { index: number; row: Row } | null {
    const selected = this.selected();
    const { first, last } = this.get().position;
    return selected && selected.index >= first && selected.index <= last ? selected : null;
  }

  /** Begins a journey; one under way ends where it is. */
  private setOut(): Promise<Row | null> {
    this.arrive(null);
    return new Promise((resolve) => {
      this.journey = { key: null, index: null, end: resolve };
    });
  }

  private arrive(row: Row | null): void {
    clearTimeout(this.timer);
    const { journey } = this;
    this.journey = null;
    journey?.end(row);
  }

  private async locate(
    target: ThreadTarget,
  ): Promise<{ index: number; align: RowAlign } | "elsewhere" | null> {
    const thread = this.shown();
    if (!thread) return null;
    if ("row" in target) return { index: target.row, align: target.align ?? "start" };
    if ("turn" in target) {
      const from = Math.max(0, target.turn - 1);
      const { turns } = await this.source.outline(this.sessionId, { ...threadQuery(thread), from, count: 1 });
      return turns[0] ? { index: turns[0].row, align: "start" } : null;
    }
    if ("record" in target) return this.locateRecord(thread, target);
    if ("error" in target) return this.locateError(thread, target.error);
    return "edit" in target ? this.locateEdit(thread, target.edit) : this.locateFork(thread);
  }

  private async locateRecord(
    thread: OpenThread,
    { record, block = null }: Extract<ThreadTarget, { record: RecordId }>,
  ): Promise<{ index: number; align: RowAlign } | "elsewhere" | null> {
    const { journey } = this;
    // The branch is named even where the address names none: around a record of another one that would be answered.
    const query = { ...threadQuery(thread), around: record, count: PAGE_ITEMS };
    const answer = await this.source.rows(this.sessionId, query);
    if (this.journey !== journey) return null;
    const elsewhere = elsewhereOf(answer, thread.choice);
    if (elsewhere && this.options.onElsewhere) {
      this.options.onElsewhere(elsewhere, record);
      return "elsewhere";
    }
    const index = findRow(answer, { recordId: record, block });
    if (index === null) {
      toast("That record is hidden in this view: press 4 to show everything");
      return null;
    }
    thread.windows.accept(toWindow(answer));
    return { index, align: "center" };
  }

  private async locateError(
    thread: OpenThread,
    by: 1 | -1,
  ): Promise<{ index: number; align: RowAlign } | null> {
    const { rows, hidden, elsewhere } = await this.source.errors(this.sessionId, threadQuery(thread));
    const next = this.nextOf(rows, by);
    if (next !== undefined) return { index: next, align: "center" };
    const beyond = hidden + elsewhere > 0 ? `; ${hidden + elsewhere} elsewhere, listed above` : "";
    toast(`${by === 1 ? "No error below" : "No error above"}${beyond}`);
    return null;
  }

  private async locateEdit(
    thread: OpenThread,
    by: 1 | -1,
  ): Promise<{ index: number; align: RowAlign } | null> {
    const { edits } = await this.source.errors(this.sessionId, threadQuery(thread));
    const next = this.nextOf(edits, by);
    if (next !== undefined) return { index: next, align: "center" };
    toast(edits.length === 0 ? "No edit in this view" : by === 1 ? "No edit below" : "No edit above");
    return null;
  }

  private async locateFork(thread: OpenThread): Promise<{ index: number; align: RowAlign } | null> {
    const { forks } = await this.source.errors(this.sessionId, threadQuery(thread));
    const at = this.selectedInView()?.index ?? this.get().position.last;
    const fork = forks.findLast((row) => row <= at) ?? forks[0];
    if (fork !== undefined) return { index: fork, align: "auto" };
    toast("This thread has no other branch");
    return null;
  }

  /** The next of these rows below the reader, or above. */
  private nextOf(rows: readonly number[], by: 1 | -1): number | undefined {
    const { first } = this.get().position;
    const from = this.selectedInView()?.index ?? (by === 1 ? first - 1 : first);
    return by === 1 ? rows.find((row) => row > from) : rows.findLast((row) => row < from);
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

  /** Loads, selects and scrolls to a row. */
  private async bring(index: number, align: RowAlign): Promise<void> {
    const { journey } = this;
    const windows = this.shown()?.windows;
    if (!windows || !journey) return this.arrive(null);
    const row = Math.max(0, Math.min(windows.getSnapshot().total - 1, index));
    journey.index = row;
    if (!windows.itemAt(row)) await windows.ensure(row - AHEAD_ROWS, row + AHEAD_ROWS);
    // The reader has gone elsewhere while the rows were on their way.
    if (this.journey !== journey) return;
    const item = windows.itemAt(row);
    const list = this.list.current;
    if (!item || !list || this.shown()?.windows !== windows) return this.arrive(null);
    list.focus();
    this.select(item, row);
    this.expect(item.key, row);
    list.scrollTo(row, align);
    this.settle();
  }

  private expect(key: string, index: number): void {
    if (!this.journey) return;
    this.journey.key = key;
    this.journey.index = index;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.arrive(null), MAX_ARRIVAL_MS);
  }

  /** Ends the journey when its row is selected and drawn. */
  private settle(): void {
    const { journey, drawn } = this;
    const selected = this.selected();
    if (!journey || journey.key === null || !drawn || selected?.row.key !== journey.key) return;
    const { index, row } = selected;
    if (drawn.selected === index && drawn.first <= index && index <= drawn.last) this.arrive(row);
  }

  /** Called by the list when it has drawn: where the reader is, and which row stands there as the selected one. */
  onDrawn(position: ThreadPosition): void {
    const { selected, first, last } = position;
    this.drawn = { selected, first, last };
    const old = this.get().position;
    const next = { ...position, selected: old.selected };
    const names = Object.keys(next) as (keyof ThreadPosition)[];
    if (names.some((name) => next[name] !== old[name])) this.set({ position: next });
    this.settle();
    for (const done of this.firstDrawn.splice(0)) done();
  }

  /** Resolves when the list has drawn the thread on screen. */
  whenDrawn(): Promise<void> {
    return this.drawn ? Promise.resolve() : new Promise((resolve) => this.firstDrawn.push(resolve));
  }

  // Staying

  /** When the thread changes next, it opens at what the address names. */
  release = (): void => {
    this.released = true;
  };

  /** The row on screen that should stay where it is when the thread around it changes; `null` for none. */
  anchor(): Anchor | null {
    const list = this.list.current;
    const windows = this.shown()?.windows;
    if (this.released || !list || !windows) return null;
    const fork = forkAnchor(windows.loaded(), this.heldFork);
    this.heldFork = null;
    const forkPx = fork && list.offsetOf(fork.index);
    if (fork && forkPx !== null) {
      const { recordId, block } = fork.row;
      return { recordId, block, offsetPx: forkPx, selected: false, fork: true };
    }
    const held = this.heldRun === null ? null : indexOfKey(windows.loaded(), this.heldRun);
    this.heldRun = null;
    const { first, last } = list.inView();
    const { selected } = this.get().position;
    const visible = selected !== null && selected >= first && selected <= last;
    const index = held ?? (visible ? selected : first);
    const row = windows.itemAt(index);
    const offsetPx = list.offsetOf(index);
    if (!row || offsetPx === null) return null;
    const { recordId, block } = row;
    return { recordId, block, offsetPx, selected: held !== null || visible, focused: list.hasFocus() };
  }

  // Opening rows, folding, branches

  toggleOpen = (key: string): void => this.set({ open: toggled(this.get().open, key) });

  openRow = (key: string): void => {
    const { open } = this.get();
    if (!open.has(key)) this.set({ open: new Set(open).add(key) });
  };

  /** Opens all calls and thoughts of the selected row's turn, and its runs; closes them where all are open. */
  expandTurn = (): void => {
    const selected = this.selected();
    if (!selected) return;
    const { turn } = selected.row;
    const rows = [...(this.shown()?.windows.loaded() ?? [])].flatMap(([, row]) =>
      row.turn === turn ? [row] : [],
    );
    const closed = rows.flatMap((row) => (row.kind === "run" && !row.open ? [row.run] : []));
    const { address } = this.options;
    if (closed.length > 0) address.set({ runs: withRuns(address.get().runs, closed) });
    const keys = rows.flatMap((row) => (row.kind === "tool" || row.kind === "thinking" ? [row.key] : []));
    this.list.current?.reveal(selected.index);
    const open = new Set(this.get().open);
    const allOpen = closed.length === 0 && keys.every((key) => open.has(key));
    for (const key of keys) {
      if (allOpen) open.delete(key);
      else open.add(key);
    }
    this.set({ open });
  };

  /** Opens or closes the selected row, whichever way its kind does. */
  toggleSelected = (): void => {
    const selected = this.selected();
    if (!selected) return;
    const { row, index } = selected;
    this.list.current?.reveal(index);
    if (row.kind === "turn") this.toggleFold(row.turn);
    else if (row.kind === "run") this.toggleRun(row.run);
    else this.toggleOpen(row.key);
  };

  toggleFold = (turn: number): void => {
    const { address } = this.options;
    const turns = parseFold(address.get().fold ?? "");
    if (!turns.delete(turn)) turns.add(turn);
    address.set({ fold: formatFold(turns) });
  };

  /** Opens or closes a run of calls, whose row stays in place and is selected. */
  toggleRun = (run: string): void => {
    this.heldRun = `${run}.run`;
    const { address } = this.options;
    address.set({ runs: toggledRun(address.get().runs, run) });
  };

  /** `fork`: the row that offers the branch, which stays in place and is selected. */
  switchBranch = (branch: BranchId, fork?: Pick<Row, "key">): void => {
    if (fork) this.heldFork = fork.key;
    this.options.address.set({ branch, fold: null });
  };

  setHits(hits: readonly RecordId[], hitsOf: string | null): void {
    const before = this.get();
    if (hits !== before.hits || hitsOf !== before.hitsOf) this.set({ hits, hitsOf });
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
