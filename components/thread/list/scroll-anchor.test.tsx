// @vitest-environment page
import { act, useLayoutEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OpenThread } from "@/components/thread/open-thread";
import { failOnConsoleErrors } from "@/lib/testing/console-errors";
import { useAnchoredList } from "./scroll-anchor";
import { offsetOf, type VirtualRowList } from "./use-row-list";

/*
 * The real hook and the real library over a page of which only the layout is made up: rows `ROW` high until they
 * are given another height, in a view of ten rows.
 */
const ROW = 24;
const VIEW = 240;
const HEADER = 32;

type Shown = { count: number; open: ReadonlySet<string>; selected: number | null; follows: boolean };
type Laid = { first: number; last: number; startPx: number; belowPx: number };

let root: Root;
let list: VirtualRowList;
let laid: Laid;
let shown: Shown;
let start: OpenThread["start"];
let heights: Map<number, number>;
let scroller: HTMLElement;
let scrollTop: number;
let reportedTop: number;
let observers: Set<{ callback: ResizeObserverCallback; heights: Map<Element, number> }>;

const heightOf = (index: number) => heights.get(index) ?? ROW;

/** The height of these rows as they are in the page. */
function sum(from: number, to: number): number {
  let px = 0;
  for (let index = from; index <= to; index++) px += heightOf(index);
  return px;
}

const maxTop = () => Math.max(0, laid.startPx + sum(laid.first, laid.last) + laid.belowPx - VIEW);
/** As in a browser: to whole pixels, and no further than the page reaches. */
const setTop = (px: number) => {
  scrollTop = Math.round(Math.max(0, Math.min(px, maxTop())));
};

/** How far below the list's upper edge a row in the page begins. */
function topOf(index: number): number {
  expect(index, "in the page").toBeGreaterThanOrEqual(laid.first);
  expect(index, "in the page").toBeLessThanOrEqual(laid.last);
  return laid.startPx + sum(laid.first, index - 1) - scrollTop;
}

const distanceFromEnd = () => maxTop() - scrollTop;

function List({ onDrawn }: { onDrawn: (list: VirtualRowList, laid: Laid) => void }) {
  const { count, open, selected, follows } = shown;
  const list = useAnchoredList(
    { windows: { loaded: () => loadedRows(count) } as never, start },
    { open, selected, follows },
    {
      count,
      getScrollElement: () => scroller,
      estimateSize: () => ROW,
      overscan: 4,
      scrollPaddingStart: HEADER,
      paddingEnd: ROW * 3,
      followOnAppend: true,
      scrollEndThreshold: ROW * 3,
    },
  );
  const items = list.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const total = list.getTotalSize();
  useLayoutEffect(() => {
    onDrawn(list, {
      first: first?.index ?? 0,
      last: last?.index ?? -1,
      startPx: first?.start ?? 0,
      belowPx: total - (last?.end ?? 0),
    });
  });
  // A closed line is as high as the list guesses, and is measured from when it is opened.
  return items.map(({ index }) => (
    <article key={index} data-index={index} ref={heights.has(index) ? list.measureElement : undefined} />
  ));
}

const draw = () =>
  act(() =>
    root.render(
      <List
        onDrawn={(drawn, where) => {
          list = drawn;
          laid = where;
        }}
      />,
    ),
  );

function* loadedRows(count: number) {
  for (let index = 0; index < count; index++) yield [index, { key: `row-${index}` }];
}

/** Opens a list. Rows are closed and nobody writes unless it is said otherwise. */
function open(count: number, at: Partial<OpenThread["start"]> = {}, more: Partial<Shown> = {}): void {
  start = { index: 0, selected: false, offsetPx: null, atEnd: false, ...at };
  shown = { count, open: new Set(), selected: null, follows: false, ...more };
  laid = { first: 0, last: -1, startPx: 0, belowPx: count * ROW + ROW * 3 };
  draw();
  frames(8);
}

function show(next: Partial<Shown>): void {
  shown = { ...shown, ...next };
  draw();
  frames(4);
}

/** Opens or closes rows, which are then as high as this. */
function toggle(indexes: readonly number[], px: number): void {
  const next = new Set(shown.open);
  for (const index of indexes) {
    if (!next.delete(`row-${index}`)) next.add(`row-${index}`);
    heights.set(index, px);
  }
  shown = { ...shown, open: next };
  draw();
  frames(4);
}

/** What a row shows has come: it has another height. */
function resize(index: number, px: number): void {
  heights.set(index, px);
  draw();
  frames(4);
}

/** The reader scrolls, and rests. */
function scrollTo(px: number): void {
  setTop(px);
  frames(2);
  act(() => void vi.advanceTimersByTime(500));
  frames(2);
}

/** Frames of the browser: scrolls are reported first, what waits for a frame is run, then heights are reported. */
function frames(times: number): void {
  for (let n = 0; n < times; n++) {
    act(() => {
      setTop(scrollTop);
      if (scrollTop !== reportedTop) {
        reportedTop = scrollTop;
        scroller.dispatchEvent(new Event("scroll"));
      }
      vi.advanceTimersByTime(16);
    });
    act(reportHeights);
  }
}

/** As a browser's observers do: each element once when it is new, and whenever its height has changed. */
function reportHeights(): void {
  for (const { callback, heights: known } of observers) {
    const changed = [...known].flatMap(([target, px]) => {
      const blockSize = heightOf(Number(target.getAttribute("data-index")));
      return blockSize === px ? [] : { target, borderBoxSize: [{ blockSize }] };
    });
    for (const { target, borderBoxSize } of changed) known.set(target, borderBoxSize[0]?.blockSize ?? 0);
    if (changed.length > 0) callback(changed as never, undefined as never);
  }
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"],
  });
  failOnConsoleErrors();
  heights = new Map();
  observers = new Set();
  scrollTop = 0;
  reportedTop = 0;
  scroller = document.createElement("main");
  document.body.append(scroller);
  Object.defineProperties(scroller, {
    clientHeight: { value: VIEW },
    clientWidth: { value: 800 },
    scrollHeight: { get: () => maxTop() + VIEW },
    scrollTop: { get: () => scrollTop },
    scrollTo: { value: ({ top }: { top: number }) => setTop(top) },
  });
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    return { height: heightOf(Number(this.dataset.index)) } as DOMRect;
  });
  const page = document.defaultView as unknown as Record<string, unknown>;
  for (const name of ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"] as const)
    page[name] = globalThis[name];
  page.innerHeight = VIEW;
  page.ResizeObserver = class {
    readonly #heights = new Map<Element, number>();
    constructor(callback: ResizeObserverCallback) {
      observers.add({ callback, heights: this.#heights });
    }
    observe = (element: Element) => void this.#heights.set(element, Number.NaN);
    unobserve = (element: Element) => void this.#heights.delete(element);
    disconnect = () => this.#heights.clear();
  };
  root = createRoot(scroller);
});
afterEach(() => {
  act(() => root.unmount());
  scroller.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Every third row is higher than the list guesses. */
function tallRows(count: number): void {
  for (let index = 0; index < count; index += 3) heights.set(index, 70);
}

test("a list opens at the row that was left, where it was left", () => {
  tallRows(100);
  open(100, { index: 50, offsetPx: 30 });
  expect(topOf(50)).toBe(30);
  // Rows above show more when what they show has come.
  resize(49, 200);
  expect(topOf(50)).toBe(30);
});

test("near its end too, where it can be scrolled to the place only once the rows below are measured", () => {
  for (const index of [57, 58, 59]) heights.set(index, 120);
  open(60, { index: 57, offsetPx: -10 });
  expect(topOf(57)).toBe(-10);
});

test("near its end too, where what a row below shows is loaded later", () => {
  heights.set(16, 120);
  heights.set(17, 24);
  open(20, { index: 16, offsetPx: -60 }, { open: new Set(["row-16", "row-17"]) });
  expect(distanceFromEnd()).toBe(0);
  resize(17, 124);
  expect(topOf(16)).toBe(-60);
  scrollTo(300);
  resize(17, 224);
  expect(scrollTop).toBe(300);
});

test("a list that fits the view opens unscrolled, wherever it was left", () => {
  open(3, { index: 2, offsetPx: -10 });
  expect(topOf(0)).toBe(0);
  expect(list.scrollOffset).toBe(0);
});

test("a list opens at its end, however high the rows there are", () => {
  tallRows(100);
  open(100, { index: 99, atEnd: true });
  expect(distanceFromEnd()).toBe(0);
});

test("a list opens with a linked row in its midst, and a jump lands within a pixel", () => {
  tallRows(200);
  open(200, { index: 100, selected: true });
  expect(topOf(100)).toBeGreaterThan(VIEW / 3);
  expect(topOf(100)).toBeLessThan((VIEW * 2) / 3);
  act(() => list.scrollToIndex(30, { align: "start" }));
  frames(8);
  expect(Math.abs(topOf(30) - HEADER)).toBeLessThanOrEqual(1);
});

test("the row of a link stands still while the rows above it are measured for the first time", () => {
  tallRows(200);
  start = { index: 100, selected: true, offsetPx: null, atEnd: false };
  shown = { count: 200, open: new Set(), selected: 100, follows: false };
  laid = { first: 0, last: -1, startPx: 0, belowPx: 200 * ROW + ROW * 3 };
  draw();
  const places = [topOf(100)];
  for (let n = 0; n < 8; n++) {
    frames(1);
    places.push(topOf(100));
  }
  expect(new Set(places).size, places.join(", ")).toBe(1);
});

test("a row whose line is half above the view opens downwards, and closes where it is", () => {
  open(100);
  scrollTo(20 * ROW + 14);
  expect(topOf(20)).toBe(-14);
  for (const px of [150, ROW, 150]) {
    toggle([20], px);
    expect(topOf(20)).toBe(-14);
  }
  // What it shows comes later.
  resize(20, 400);
  expect(topOf(20)).toBe(-14);
});

test("a row whose line is half above the view stays there while what it opens with is loaded", () => {
  open(100);
  scrollTo(20 * ROW + 14);
  // The words that it is being loaded are two lines high; some of them is in view.
  for (const px of [56, 58, 200, 400]) {
    if (px === 56) toggle([20], px);
    else resize(20, px);
    expect(topOf(20)).toBe(-14);
  }
});

test("of several rows that open the selected one stays, the others grow away from it", () => {
  open(100, {}, { selected: 22 });
  scrollTo(20 * ROW);
  toggle([20, 21, 22, 23], 100);
  expect(topOf(22)).toBe(2 * ROW);
  toggle([20, 21, 22, 23], ROW);
  expect(topOf(22)).toBe(2 * ROW);
});

test("a row is held until the reader scrolls", () => {
  open(100);
  scrollTo(20 * ROW);
  toggle([23], 60);
  resize(21, 100);
  expect(topOf(23)).toBe(3 * ROW);

  scrollTo(scrollTop + 5);
  const [above, below] = [topOf(22), topOf(24)];
  resize(22, 100);
  expect(topOf(22)).toBe(above);
  expect(topOf(24)).toBe(below + 100 - ROW);
});

test("a scroll position that comes back rounded is no reader's scroll", () => {
  open(100);
  scrollTo(20 * ROW);
  heights.set(21, 40.4);
  toggle([23], 60);
  resize(21, 40.4);
  resize(21, 60.8);
  expect(Math.abs(topOf(23) - 3 * ROW)).toBeLessThan(1);
  // Held from a rounded position on, too.
  const top = topOf(24);
  toggle([24], 60.3);
  for (const px of [100.7, 120.1, 140.5, 160.9]) resize(22, px);
  expect(Math.abs(topOf(24) - top)).toBeLessThan(1.5);
});

test("a key that brings a row into view and opens it leaves it where it came to", () => {
  heights.set(21, 60);
  open(100, {}, { selected: 22 });
  scrollTo(25 * ROW);
  act(() => list.scrollToIndex(22, { align: "start" }));
  toggle([22], 100);
  expect(topOf(22)).toBe(HEADER);
  resize(21, 150);
  expect(topOf(22)).toBe(HEADER);
});

test("where a row stands is known before the list is drawn again", () => {
  open(100, {}, { selected: 22 });
  scrollTo(20 * ROW);
  let offsetPx: number | null = null;
  act(() => {
    list.resizeItem(21, 100);
    offsetPx = offsetOf(list, 22);
  });
  heights.set(21, 100);
  expect(offsetPx).toBe(topOf(22));
});

test("rows above that turn out higher do not move what is read", () => {
  tallRows(100);
  open(100);
  scrollTo(60 * ROW);
  while (scrollTop > 10 * ROW) {
    let row = laid.first;
    while (topOf(row) < 0) row++;
    const top = topOf(row);
    scrollTo(scrollTop - 5 * ROW);
    expect(Math.abs(topOf(row) - top - 5 * ROW), `row ${row}`).toBeLessThanOrEqual(1);
  }
});

test("a list that becomes narrower keeps the first row that is read, also below the end of a high one", () => {
  heights.set(48, 150);
  open(100);
  scrollTo(46 * ROW);
  // Of row 48 four pixels are in view, below the header none.
  scrollTo(scrollTop + topOf(49) - 4);
  const top = topOf(50);
  resize(48, 190);
  expect(topOf(50)).toBe(top);
  // Who sees more of it than its end reads it, and it grows downwards.
  scrollTo(scrollTop - 60);
  const begins = topOf(48);
  resize(48, 230);
  expect(topOf(48)).toBe(begins);
});

test("who reads is not moved by what is appended", () => {
  open(100);
  scrollTo(50 * ROW);
  const top = topOf(55);
  show({ count: 104 });
  expect(topOf(55)).toBe(top);
});

test("who is at the end of a session that had ended sees what is appended, however much it is", () => {
  open(100, { index: 99, atEnd: true });
  show({ count: 112 });
  expect(distanceFromEnd()).toBe(0);
  // Then it is known that it goes on.
  show({ follows: true });
  show({ count: 130 });
  expect(distanceFromEnd()).toBe(0);
});

test("who follows sees what is appended, and the last row while it grows", () => {
  open(100, { index: 99, atEnd: true }, { follows: true });
  show({ count: 104 });
  expect(distanceFromEnd()).toBe(0);
  resize(103, 300);
  expect(distanceFromEnd()).toBe(0);
  scrollTo(50 * ROW);
  const top = topOf(55);
  show({ count: 108 });
  expect(topOf(55)).toBe(top);
});

test("a row that is opened at the end of what is followed stays, also when rows are appended", () => {
  open(100, { index: 99, atEnd: true }, { follows: true });
  const top = topOf(98);
  toggle([98], 300);
  expect(topOf(98)).toBe(top);
  show({ count: 102 });
  expect(topOf(98)).toBe(top);
  resize(98, 350);
  expect(topOf(98)).toBe(top);
});

test("it stays also where it becomes low enough to bring the end into view", () => {
  open(100, { index: 99, atEnd: true }, { follows: true });
  toggle([98], 120);
  show({ count: 101 });
  const top = topOf(98);
  resize(98, 40);
  resize(98, 100);
  expect(topOf(98)).toBe(top);
});

test("a list that opens at a place where its end is in view follows it", () => {
  for (const index of [58, 59]) heights.set(index, 120);
  open(60, { index: 58, offsetPx: 0 }, { follows: true });
  expect(topOf(58)).toBe(0);
  const distance = distanceFromEnd();
  resize(59, 300);
  expect(distanceFromEnd()).toBe(distance);
});

test("who comes back to a row stays there while what open rows below it show is loaded, however near the end is", () => {
  heights.set(4, 56);
  open(7, { index: 2, offsetPx: 48 }, { follows: true, open: new Set(["row-4"]) });
  expect(topOf(2)).toBe(48);
  resize(4, 400);
  expect(topOf(2)).toBe(48);
  show({ count: 9 });
  expect(topOf(2)).toBe(48);
});

test("a row that is opened there and leaves the end in view does not end the following", () => {
  open(100, { index: 99, atEnd: true }, { follows: true });
  toggle([98], ROW + 10);
  show({ count: 104 });
  expect(distanceFromEnd()).toBe(0);
  resize(103, 300);
  expect(distanceFromEnd()).toBe(0);
});

test("rows that a growing run takes in leave space, which the next rows take", () => {
  open(100, { index: 99, atEnd: true }, { follows: true });
  const top = topOf(95);
  show({ count: 98 });
  expect(topOf(95)).toBe(top);
  show({ count: 99 });
  expect(topOf(95)).toBe(top);
  show({ count: 100 });
  expect(topOf(95)).toBe(top);
  // A list that is another one altogether leaves none.
  show({ count: 60 });
  expect(list.getTotalSize()).toBe(60 * ROW + ROW * 3);
});
