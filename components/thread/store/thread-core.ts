import { createStore } from "zustand/vanilla";
import type { Elsewhere, OpenThread, ThreadSource } from "@/components/thread/open-thread";
import type { ThreadPosition } from "@/components/thread/thread-position";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { ScanProgress } from "@/lib/wire/session";

/** Rows around what is in view, or is gone to, that are loaded with it. */
export const AHEAD_ROWS = 20;

/** How far below the list's upper edge the row of a link stands that names no height: below the header of a turn. */
export const LINKED_PX = 96;

/** The header of the turn stands over the list's upper edge: a row that is no further below that is not seen. */
export const HEADER_PX = 44;

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
  /** Scrolls by so many pixels, and no longer to what was to be scrolled to. */
  scrollBy: (px: number) => void;
  /** Brings the row's first line into view, if it is above or below: a key opens or closes it. */
  reveal: (index: number) => void;
  /** How far below the list's upper edge a row begins; `null` for one that has no place yet. */
  offsetOf: (index: number) => number | null;
  /** How high a row is, as far as that is known. */
  heightOf: (index: number) => number | null;
  /** How high the view is, in pixels. */
  roomPx: () => number;
  /** How far the list is scrolled, in pixels. */
  scrolled: () => number;
  inView: () => { first: number; last: number };
  hasFocus: () => boolean;
  /** What it is drawn in; `null` while it is not on screen. */
  box: () => HTMLElement | null;
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

/** What a thread on screen shows. `thread` is null until its first rows are there, and when they cannot be had (`error`). */
export type ThreadState = {
  choice: ThreadChoice;
  thread: OpenThread | null;
  /** Its first rows, while the server still reads the session and the thread is not there. */
  beginning: OpenThread | null;
  scanning: ScanProgress["scanning"] | null;
  /** While its beginning is there: the reader is to be brought to a place that may be in the rest. */
  awaitsRest: boolean;
  error: Error | null;
  /** Counts the wishes to try again. */
  attempt: number;
  /** Keys of the rows that are open. */
  open: ReadonlySet<string>;
  selectedKey: string | null;
  /** The row at the other end of a selection of several; `null` where no more than one is selected. */
  chosenFrom: { key: string; index: number; row: Row } | null;
  /** Where the reader is; `selected` is where the selected key stands now, `null` where this view does not show it. */
  position: ThreadPosition;
  /** Records of this thread in which something was found. */
  hits: readonly RecordId[];
  /** The query whose hits these are, once all of them are known. */
  hitsOf: string | null;
};

const AT_START: ThreadPosition = {
  first: 0,
  last: 0,
  total: 0,
  turn: 0,
  selected: null,
  atEnd: false,
  fresh: 0,
};

/** What the parts of a thread's store have in common: its state, its list on screen, and where its rows come from. */
export class ThreadCore {
  readonly sessionId: SessionId;
  readonly source: ThreadSource;
  /** The list that draws the rows, while it is in the page. */
  readonly list: { current: ThreadList | null } = { current: null };
  readonly #store;

  constructor(readonly options: ThreadStoreOptions) {
    this.sessionId = options.sessionId;
    this.source = options.source ?? api;
    this.#store = createStore<ThreadState>(() => ({
      choice: options.choice,
      thread: null,
      beginning: null,
      scanning: null,
      awaitsRest: false,
      error: null,
      attempt: 0,
      open: options.open ?? new Set(),
      selectedKey: null,
      chosenFrom: null,
      position: AT_START,
      hits: [],
      hitsOf: null,
    }));
  }

  get = (): ThreadState => this.#store.getState();
  set = (change: Partial<ThreadState>): void => this.#store.setState(change);
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** The thread, or as much of its beginning as there is. */
  shown(): OpenThread | null {
    const { thread, beginning } = this.get();
    return thread ?? beginning;
  }

  /** Only the beginning of the thread is there; the whole follows. */
  isBeginning(): boolean {
    const { thread, beginning, error } = this.get();
    return thread === null && beginning !== null && error === null;
  }

  /** The thread that is being opened, when all of it is there. Rejects with the reason when it can't be. */
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
}
