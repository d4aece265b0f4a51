import { type HitTarget, type MarkedRow, type SearchMarks, targetRow } from "./row-marks";

/** The name that globals.css styles. */
const HIGHLIGHT = "find-current";

/** Frames without a change after which what a row shows is taken to be all that it does by itself. */
const QUIET_FRAMES = 3;
/** Frames for which a mark must stand still in view: rows and lines around it are measured for some frames. */
const STEADY_FRAMES = 8;
/** Folds of one row that are opened for one hit. */
const MAX_FOLDS = 60;

/** So much of a list's upper edge is covered by the header of a turn, and some room. */
const ABOVE_PX = 64;
const BELOW_PX = 48;

/**
 * Shows the hit that the reader has gone to: opens the folds of its row, one after the other, until its first mark is
 * in the page, and scrolls to that. Ends when the mark stands still in view, or when the reader does anything himself.
 * Where nothing can be done but wait (for rows, or a text that is being read or drawn) it does nothing until `touched`
 * says that the page has changed.
 */
export class HitReveal {
  #target: HitTarget | null = null;
  #isPending = false;
  #frame = 0;
  #quiet = 0;
  #steady = 0;
  #opened = new WeakSet<Element>();
  #folds = 0;
  readonly #marks: () => SearchMarks | null;
  readonly #scrollThread: (px: number) => void;

  /** @param scrollThread scrolls the page's own thread */
  constructor(marks: () => SearchMarks | null, scrollThread: (px: number) => void) {
    this.#marks = marks;
    this.#scrollThread = scrollThread;
  }

  /** The hit that is shown; its row is marked further than others. */
  get target(): HitTarget | null {
    return this.#target;
  }

  show(target: HitTarget): void {
    this.#target = target;
    this.#isPending = true;
    this.#opened = new WeakSet();
    this.#folds = 0;
    this.touched();
  }

  clear(): void {
    this.stop();
    this.#target = null;
    this.#mark(null);
  }

  /** The reader goes on by himself. */
  stop(): void {
    this.#isPending = false;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** The page has changed: the mark may be another part of it now, or there at last. */
  touched(): void {
    this.#quiet = 0;
    this.#steady = 0;
    if (this.#isPending) this.#frame ||= requestAnimationFrame(this.#step);
    else if (this.#target) this.#mark(this.#find()?.range ?? null);
  }

  #find(): MarkedRow | null {
    const marks = this.#marks();
    return marks && this.#target && targetRow(document, marks, this.#target);
  }

  readonly #step = (): void => {
    this.#frame = 0;
    const found = this.#find();
    if (!found) return;
    const { row, range, isShort } = found;
    if (range && !isShort) {
      this.#mark(range);
      this.#steady = bringIntoView(row, range, this.#scrollThread) ? 0 : this.#steady + 1;
      if (this.#steady >= STEADY_FRAMES) return this.stop();
    } else if (isOnItsWay(row)) return;
    else if (this.#quiet < QUIET_FRAMES) this.#quiet += 1;
    else if (!found.mayHide || !this.#openFold(found)) {
      // A long text is drawn bit by bit: the page says when there is more of it.
      this.#mark(range);
      if (range) bringIntoView(row, range, this.#scrollThread);
      return;
    }
    this.#frame ||= requestAnimationFrame(this.#step);
  };

  #mark(range: Range | null): void {
    if (!("highlights" in CSS)) return;
    if (!range) return void CSS.highlights.delete(HIGHLIGHT);
    const highlight = new Highlight(range);
    highlight.priority = 1;
    CSS.highlights.set(HIGHLIGHT, highlight);
  }

  /** Opens the next fold of a row; the branches of a tree all at once. */
  #openFold({ row, fields }: MarkedRow): boolean {
    const folds = [...row.querySelectorAll<HTMLButtonElement>("button[data-unfolds]:enabled")].filter(
      (fold) => !this.#opened.has(fold) && fold.closest("[data-record-id]") === row && mayHold(fold, fields),
    );
    const [first] = folds;
    if (!first || this.#folds >= MAX_FOLDS) return false;
    const together =
      first.dataset.unfolds === "branch"
        ? folds.filter(({ dataset }) => dataset.unfolds === "branch")
        : [first];
    for (const fold of together) {
      this.#opened.add(fold);
      fold.click();
    }
    this.#folds += 1;
    this.#quiet = 0;
    return true;
  }
}

/** Whether a fold is of texts of one of these fields, as far as the page says of which. */
function mayHold(fold: Element, fields: ReadonlySet<string>): boolean {
  const region = fold.closest<HTMLElement>(
    '[data-log]:not([data-log=""],[data-log="none"]),[data-record-id]',
  );
  return region?.dataset.log?.split(" ").some((field) => fields.has(field)) ?? true;
}

/** The row is about to be opened, or a text of it is being read. */
function isOnItsWay(row: HTMLElement): boolean {
  if (row.querySelector("[aria-busy=true],button[data-unfolds]:disabled")) return true;
  const line = row.querySelector("[data-openable]");
  return line?.getAttribute("aria-expanded") === "false";
}

/** Scrolls to a mark that is out of view, its line from side to side too. @returns whether anything moved */
function bringIntoView(row: HTMLElement, range: Range, scrollThread: (px: number) => void): boolean {
  const element = range.startContainer.parentElement;
  let hasMoved = false;
  const line = element?.closest<HTMLElement>(".overflow-x-auto");
  if (line && row.contains(line)) {
    const { left, right, width } = line.getBoundingClientRect();
    const mark = range.getBoundingClientRect();
    if (mark.left < left || mark.right > right) hasMoved = scrollSideways(line, mark.left - left - width / 3);
  }
  const list = row.closest<HTMLElement>(".overflow-y-auto");
  const mark = range.getClientRects()[0];
  if (!list || !mark) return hasMoved;
  const { top, bottom, height } = list.getBoundingClientRect();
  if (mark.top >= top + ABOVE_PX && mark.bottom <= bottom - BELOW_PX) return hasMoved;
  const px = mark.top - top - height / 3;
  const before = list.scrollTop;
  if (list.tagName === "MAIN") scrollThread(px);
  else list.scrollTop = before + px;
  return Math.abs(list.scrollTop - before) >= 1 || hasMoved;
}

/** @returns false at the end of what can be scrolled */
function scrollSideways(line: HTMLElement, px: number): boolean {
  const before = line.scrollLeft;
  line.scrollLeft = before + px;
  return Math.abs(line.scrollLeft - before) >= 1;
}
