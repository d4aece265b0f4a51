// @vitest-environment page
import { act, useRef } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { VirtualRowList } from "./use-row-list";
import { useScrollingKeys } from "./use-scrolling-keys";

const leave = vi.fn();
let scrolled: (number | "end")[];
/** Rows of 40 px, of which those above come to be 10 px higher when they are measured. */
let isMeasured: boolean;
let list: { scrollOffset: number; isScrolledBy: (px: number) => void };

function List({ as: Box = "section" }: { as?: "section" | "main" }) {
  const scroller = useRef<HTMLElement>(null);
  const rows = {
    options: { scrollPaddingStart: 40 },
    scrollRect: { height: 840 },
    get scrollOffset() {
      return list.scrollOffset;
    },
    getVirtualItemForOffset: (px: number) => ({
      index: Math.floor(px / 40),
      start: Math.floor(px / 40) * 40,
    }),
    get measurementsCache() {
      return Array.from({ length: 200 }, (_, row) => ({ start: row * (isMeasured ? 50 : 40) }));
    },
    scrollToEnd: () => scrolled.push("end"),
    scrollToOffset: (px: number) => list.isScrolledBy(px),
  };
  useScrollingKeys(scroller, rows as unknown as VirtualRowList);
  return (
    <Box ref={scroller}>
      <article tabIndex={-1}>A row</article>
      <button type="button">Press</button>
      <textarea />
      <pre style={{ overflowY: "auto" }}>Its own</pre>
    </Box>
  );
}

beforeEach(async () => {
  leave.mockClear();
  [scrolled, isMeasured] = [[], false];
  list = {
    scrollOffset: 4_000,
    isScrolledBy: (px) => {
      scrolled.push(px);
      list.scrollOffset = px;
    },
  };
  const store = { leave };
  await drawnPage().draw(
    <ThreadStoreContext value={store as never}>
      <List />
    </ThreadStoreContext>,
  );
  const pre = document.querySelector("pre") as HTMLElement;
  for (const [name, px] of [
    ["scrollHeight", 900],
    ["clientHeight", 100],
  ] as const)
    Object.defineProperty(pre, name, { value: px });
});

/** Presses a key in an element of the list. Returns whether the browser is left to do what it does with it. */
async function press(key: string, more: KeyboardEventInit = {}, at = "article"): Promise<boolean> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  await act(async () => document.querySelector(at)?.dispatchEvent(event));
  return !event.defaultPrevented;
}

it("leads to the start, to the end and a page on or back at once, and takes back what waits", async () => {
  expect(await press("Home")).toBe(false);
  expect(scrolled).toEqual([0]);
  expect(leave).toHaveBeenCalledOnce();
  await press("End");
  list.scrollOffset = 4_000;
  await press("PageDown");
  await press(" ", { shiftKey: true });
  expect(scrolled.slice(1, 4)).toEqual(["end", 4_700, 4_000]);
});

it("after a page back the row that was the first is where the page leads, however high those above it come to be", async () => {
  await press("PageUp");
  expect(scrolled).toEqual([3_300]);
  isMeasured = true;
  // It was at 4,040, and 740 px below what was then the upper edge; it is at 5,050 now.
  await vi.waitFor(() => expect(list.scrollOffset).toBe(4_310));
});

it("whoever scrolls meanwhile is where that leads", async () => {
  await press("PageUp");
  document.querySelector("section")?.dispatchEvent(new Event("wheel"));
  isMeasured = true;
  for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
  expect(list.scrollOffset).toBe(3_300);
});

it.each([
  ["a field", "Home", {}, "textarea"],
  ["a button, for Space", " ", {}, "button"],
  ["a box that scrolls by itself", "PageDown", {}, "pre"],
  ["the browser, with another key held", "Home", { ctrlKey: true }, "article"],
  ["other keys", "j", {}, "article"],
])("leaves %s alone", async (_, key, more, at) => {
  expect(await press(key, more, at)).toBe(true);
  expect(scrolled).toEqual([]);
});

it("a page's key scrolls also where a button of the list has the focus", async () => {
  expect(await press("PageDown", {}, "button")).toBe(false);
});

it("where nothing has the focus the keys are the page's own thread's, unless a view covers it", async () => {
  expect(await press("PageDown", {}, "body")).toBe(true);
  await drawnPage().draw(
    <ThreadStoreContext value={{ leave } as never}>
      <List as="main" />
    </ThreadStoreContext>,
  );
  expect(await press("PageDown", {}, "body")).toBe(false);
  expect(scrolled).toEqual([4_700]);
  document.querySelector("main")?.parentElement?.setAttribute("inert", "");
  expect(await press("PageDown", {}, "body")).toBe(true);
});
