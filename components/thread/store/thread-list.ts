/** Rows around what is in view, or is gone to, that are loaded with it. */
export const AHEAD_ROWS = 20;

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
  /** How far the list is scrolled, in pixels. */
  scrolled: () => number;
  inView: () => { first: number; last: number };
  hasFocus: () => boolean;
};
