import {
  type Anchor,
  continueThread,
  type OpenThread,
  openThread,
  seenRowsIn,
  startAtHeld,
  startNear,
} from "@/components/thread/open-thread";
import { MAX_WAIT_MS } from "@/components/thread/thread-windows";
import { toast } from "@/components/ui/toast";
import { type Permalink, parsePermalink, type ThreadChoice } from "@/lib/client/address/session-url";
import type { ApiError } from "@/lib/client/connection/api-error";
import type { ScanProgress } from "@/lib/wire/session";
import type { LinkedLines } from "./linked-lines";
import { forkBelow } from "./loaded-rows";
import type { ReadingPlace } from "./reading-place";
import { LINKED_PX, type ThreadCore } from "./thread-core";
import type { ThreadJourneys } from "./thread-journeys";
import type { ThreadSelection } from "./thread-selection";

/** How a thread opens when it has no row on screen to stay at. */
export type Opening = {
  /** The place that the address names. */
  at?: string | null;
  /** How far below the list's upper edge that is, in pixels; otherwise it is in the middle. */
  y?: number | null;
  toEnd?: boolean;
  /** Something is looked for there: who finds it takes the reader to a view that shows it, so that nothing is said. */
  isSought?: boolean;
  /** Where the reader was, and which rows were open, after a reload or on the way back from another page. */
  restored?: () => { place: Anchor | null; open: readonly string[] } | null;
};

type OpenedThread = Awaited<ReturnType<typeof openThread>>;

/** Opens the chosen thread in the place of the one before. */
export class ThreadOpening {
  readonly #core: ThreadCore;
  readonly #selection: ThreadSelection;
  readonly #journeys: ThreadJourneys;
  readonly #place: ReadingPlace;
  readonly #linkedLines: LinkedLines;
  #unfollow: () => void = () => undefined;
  /** The thread has opened where the reader was on an earlier visit. */
  wasRestored = false;

  constructor(
    core: ThreadCore,
    selection: ThreadSelection,
    journeys: ThreadJourneys,
    place: ReadingPlace,
    linkedLines: LinkedLines,
  ) {
    this.#core = core;
    this.#selection = selection;
    this.#journeys = journeys;
    this.#place = place;
    this.#linkedLines = linkedLines;
  }

  /**
   * Opens the chosen thread: where the reader was in the thread before or in this one, else at what the address
   * points to, else at its first prompt. The thread before stays until the next one is there, and a beginning until
   * the whole is. Call it again after a change of choice, or of `attempt`.
   * @returns gives the opening up
   */
  show(
    choice: ThreadChoice,
    { at = null, y = null, toEnd = false, isSought = false, restored }: Opening = {},
  ): () => void {
    const core = this.#core;
    const controller = new AbortController();
    const { signal } = controller;
    const before = core.shown();
    // Of the active branch nobody asks for a place on the one that was left for it.
    const isActive = choice.branch === null && before?.choice.branch != null;
    const isOther = before !== null && (before.choice.agent !== choice.agent || isActive);
    const kept = this.#place.anchor(isOther) ?? this.#restore(before === null ? restored : undefined);
    if (this.wasRestored && before === null && at !== null) this.#linkedLines.reach(at);
    // Without a row on screen (the graph is there instead) what the address names holds again.
    const link = kept ? null : parsePermalink(at);
    if (isOther) this.#selection.clear();
    core.set({ choice });

    const isSameBranch = before?.choice.branch === choice.branch;
    const unread = before && !isOther && isSameBranch ? this.#seenRows(before, choice, signal) : null;
    const opening = { place: link ?? kept, toEnd: toEnd && !before && !link && !kept };
    void this.#fetch(choice, opening, unread, signal).then(
      (opened) => {
        if (signal.aborted) return opened.thread.windows.dispose();
        this.#take(opened, choice, { kept, link, y, isFirst: before === null, isSought });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        core.set({ scanning: null, error: error instanceof Error ? error : new Error(String(error)) });
        this.#journeys.leave();
      },
    );
    return () => controller.abort();
  }

  /**
   * Fetches a thread, and shows its beginning meanwhile where that comes first. Counts an attempt more, for which `show`
   * is called again, where the server says nothing for too long.
   * @param unread how many of its rows the reader has seen
   */
  async #fetch(
    choice: ThreadChoice,
    opening: Parameters<typeof openThread>[1],
    unread: Promise<number | null> | null,
    signal: AbortSignal,
  ): Promise<OpenedThread> {
    const core = this.#core;
    const { sessionId, source } = core;
    let beginning: OpenThread | null = null;
    const onBeginning = (begun: OpenThread) => {
      if (signal.aborted) return;
      beginning = begun;
      core.set({ beginning: begun });
      this.#present(begun);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expectAnswer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => core.set({ attempt: core.get().attempt + 1 }), MAX_WAIT_MS);
    };
    const onScan = (scanning: ScanProgress["scanning"]) => {
      if (signal.aborted) return;
      expectAnswer();
      core.set({ scanning });
    };
    expectAnswer();
    signal.addEventListener("abort", () => clearTimeout(timer));
    try {
      const opened = await openThread({ sessionId, source, choice }, opening, signal, {
        onScan,
        onBeginning,
      });
      const seenRows = await unread;
      if (seenRows != null) opened.thread.seenRows = seenRows;
      if (!beginning) return opened;
      const anchor = () => this.#place.anchor();
      const thread = await continueThread({ sessionId, source }, beginning, opened.thread, anchor, signal);
      return { ...opened, thread };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Shows a fetched thread in the place of the one before.
   * @param from what it opens at: `kept` where the reader was, `link` what the address names; `isFirst`: the store's first
   */
  #take(
    { thread, found, near, elsewhere, gone }: OpenedThread,
    choice: ThreadChoice,
    from: {
      kept: Anchor | null;
      link: Permalink | null;
      y: number | null;
      isFirst: boolean;
      isSought: boolean;
    },
  ): void {
    const core = this.#core;
    const { kept, link, y } = from;
    // On a branch that no address names, rows that are asked for later would be the active one's.
    const isUnnamed = from.isFirst && elsewhere !== null && "branch" in elsewhere;
    if (elsewhere && (link || isUnnamed) && core.options.onElsewhere) {
      // The view that shows the record opens next, in this one's place.
      thread.windows.dispose();
      return core.options.onElsewhere(elsewhere, null);
    }
    core.shown()?.windows.dispose();
    const anchor = kept ?? (link && linkedPlace(link, y));
    thread.start = startOf(thread, { found, near }, anchor, kept !== null || y !== null);
    if (link && found === null && (gone || !from.isSought)) tellMissing(gone, choice);
    core.set({ thread, beginning: null, scanning: null, error: null });
    this.#present(thread, anchor);
    void this.#journeys.goAwaited();
  }

  /** Gives up what is under way. What is on screen stays; `show` begins again. */
  dispose(): void {
    this.#journeys.arrive(null);
    this.#unfollow();
    this.#core.shown()?.windows.dispose();
  }

  /** What of the chosen view the reader has seen who has not seen all of the one before; `null` for all of it. */
  async #seenRows(before: OpenThread, choice: ThreadChoice, signal: AbortSignal): Promise<number | null> {
    const { sessionId, source } = this.#core;
    const { total, fresh } = this.#core.get().position;
    if (fresh === 0 || total <= fresh) return null;
    return seenRowsIn({ sessionId, source }, { thread: before, seen: total - fresh }, choice, signal);
  }

  /** What was kept of an earlier visit, with its rows opened. */
  #restore(restored: Opening["restored"]): Anchor | null {
    const kept = restored?.() ?? null;
    if (kept) this.#core.set({ open: new Set(kept.open) });
    this.wasRestored = kept?.place != null;
    return kept?.place ?? null;
  }

  /** Has the rows of a thread that has just opened stand for this store's. */
  #present(thread: OpenThread, anchor: Anchor | null = null): void {
    const { windows, start } = thread;
    this.#place.opened(thread, anchor);
    this.#journeys.awaitDrawing();
    this.#unfollow();
    this.#unfollow = windows.subscribe(() => this.#selection.place());
    const index = start.selected ? start.index : null;
    const row = index === null ? undefined : windows.itemAt(index);
    if (index === null || !row) return this.#selection.placeIn(thread);
    this.#selection.select(row, index);
    this.#journeys.goOnTo(row.key, index);
  }
}

/**
 * Where a thread begins of which a place was asked for: `found` is its row, `near` the row before it in a view that hides
 * it. With neither it begins where it does by itself.
 * @param isHeld the row comes as far below the list's upper edge as `anchor` says, else into the middle, selected
 */
function startOf(
  { windows, start }: OpenThread,
  { found, near }: { found: number | null; near: number | null },
  anchor: Anchor | null,
  isHeld: boolean,
): OpenThread["start"] {
  if (found === null && near !== null) {
    // A turn that was folded over the selected row has that row's part: it is unfolded, and gone on from, there.
    const row = windows.itemAt(near);
    const isFolded = row?.kind === "turn" && row.folded;
    return { ...startNear(near, anchor), selected: isFolded && anchor?.selected === true };
  }
  if (found === null) return start;
  const fork = anchor?.fork ? forkBelow((index) => windows.itemAt(index), found) : null;
  if (fork !== null && anchor) return { ...startAtHeld(fork, anchor), selected: true };
  if (anchor && isHeld) return startAtHeld(found, anchor);
  return { index: found, selected: true, offsetPx: null, atEnd: false };
}

/** Says why the row of a link is not there, and how it can be. */
function tellMissing(gone: ApiError | null, { detail }: ThreadChoice): void {
  if (gone) return toast(gone.message, "err");
  const hidden = "The linked record is hidden in this view";
  toast(detail === "everything" ? hidden : `${hidden}: press 4 to show everything`);
}

/** The place that a link names. */
function linkedPlace({ recordId, block }: Permalink, y: number | null): Anchor {
  return { recordId, block: block ?? 0, offsetPx: y ?? LINKED_PX, selected: true };
}
