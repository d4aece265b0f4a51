// @vitest-environment page
import { act, createElement, type RefObject, useRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";

/** The module as a page has it that was just loaded, by a link (`navigate`), again (`reload`) or by Back. */
async function loaded(type: "navigate" | "reload" | "back_forward") {
  vi.resetModules();
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as never]);
  return import("./list-place");
}

/** What an earlier page of this tab has kept. */
const keep = (text: string) => sessionStorage.setItem("backscroll.lists", text);
const PLACE = { offsetPx: 900, cursorKey: "b", groups: { folded: ["x"], expanded: [] } };
const TOP = { offsetPx: 0, cursorKey: null, groups: { folded: [], expanded: [] } };

beforeEach(() => sessionStorage.clear());

test("a list has its own place, which others of the page leave to it, and a new one begins at its top", async () => {
  const { listPlace, rememberPlace } = await loaded("navigate");
  rememberPlace("library", "/", { offsetPx: 900 });
  rememberPlace("library", "/", { cursorKey: "b" });
  rememberPlace("search", "/", { offsetPx: 7 });
  expect(listPlace("library", "/")).toMatchObject({ offsetPx: 900, cursorKey: "b" });
  expect(listPlace("library", "/?sort=title")).toEqual(TOP);
  rememberPlace("library", "/?sort=title", { offsetPx: 40 });
  // Whoever goes from one list to another, and back, is where they were in each.
  expect(listPlace("library", "/")).toMatchObject({ offsetPx: 900, cursorKey: "b" });
  expect(listPlace("search", "/").offsetPx).toBe(7);
});

test("of many lists the ones that were read last are kept", async () => {
  const { listPlace, rememberPlace } = await loaded("navigate");
  const lists = Array.from({ length: 30 }, (_, n) => `/?q=${n}`);
  rememberPlace("search", "/", { offsetPx: 5 });
  for (const list of lists) {
    rememberPlace("search", list, { offsetPx: 9 });
    rememberPlace("search", "/", { offsetPx: 6 });
  }
  const kept = lists.filter((list) => listPlace("search", list).offsetPx === 9);
  expect(listPlace("search", "/").offsetPx).toBe(6);
  expect(kept).toEqual(lists.slice(-kept.length));
  expect(kept.length).toBeLessThan(20);
});

test("what the tab has kept counts after a reload and Back, not where a link led", async () => {
  keep(
    JSON.stringify({
      search: [
        { list: "p", place: TOP },
        { list: "q", place: PLACE },
      ],
    }),
  );
  expect((await loaded("reload")).listPlace("search", "q")).toEqual(PLACE);
  expect((await loaded("back_forward")).listPlace("search", "q")).toEqual(PLACE);
  expect((await loaded("navigate")).listPlace("search", "q")).toEqual(TOP);
});

test("what another version kept, or something else wrote, is no place", async () => {
  for (const text of [
    "{",
    "null",
    "[1]",
    '{"search":null}',
    '{"search":{"list":"q","place":{"offsetPx":1}}}',
    '{"search":[null,7,{"list":"q","place":{"offsetPx":1}}]}',
  ]) {
    keep(text);
    expect((await loaded("reload")).listPlace("search", "q"), text).toEqual(TOP);
  }
});

test("a box is scrolled to where its reader was, once what is in it is there", async () => {
  const { useBoxPlace } = await loaded("navigate");
  const page = drawnPage();
  const Box = ({ list, isThere }: { list: string; isThere: boolean }) => {
    const box = useRef<HTMLDivElement>(null);
    const onScroll = useBoxPlace({ view: "context", list }, box, isThere);
    return createElement("div", { ref: box, onScroll });
  };
  const box = () => document.querySelector("div div") as HTMLElement;
  await page.draw(createElement(Box, { list: "s1", isThere: true }));
  await act(async () => {
    box().scrollTop = 900;
    box().dispatchEvent(new Event("scroll"));
  });
  page.leave();
  await page.draw(createElement(Box, { list: "s1", isThere: false }));
  expect(box().scrollTop).toBe(0);
  await page.draw(createElement(Box, { list: "s1", isThere: true }));
  expect(box().scrollTop).toBe(900);
  page.leave();
  await page.draw(createElement(Box, { list: "s2", isThere: true }));
  expect(box().scrollTop).toBe(0);
});

test("a list whose rows are given out in parts is asked for more until its reader is where they were", async () => {
  const { useListPlace, rememberPlace } = await loaded("navigate");
  rememberPlace("search", "q", { offsetPx: 900 });
  const page = drawnPage();
  const more = vi.fn();
  const List = ({ totalPx, isThere }: { totalPx: number; isThere: boolean }) => {
    const box = useRef<HTMLDivElement>(null);
    useListPlace({ view: "search", list: "q" }, box, {
      totalPx,
      complete: isThere && totalPx > 1_000,
      more: isThere && totalPx < 1_000 ? more : undefined,
    });
    const noLower = (element: HTMLDivElement | null) => {
      box.current = element;
      if (element)
        element.scrollTo = ((_: number, y: number) => (element.scrollTop = Math.min(y, totalPx))) as never;
    };
    return createElement("div", { ref: noLower });
  };
  const top = () => (document.querySelector("div div") as HTMLElement).scrollTop;
  await page.draw(createElement(List, { totalPx: 300, isThere: false }));
  expect(more).not.toHaveBeenCalled();
  await page.draw(createElement(List, { totalPx: 300, isThere: true }));
  expect(more).toHaveBeenCalledTimes(1);
  await page.draw(createElement(List, { totalPx: 600, isThere: false }));
  await page.draw(createElement(List, { totalPx: 600, isThere: true }));
  expect(more).toHaveBeenCalledTimes(2);
  await page.draw(createElement(List, { totalPx: 1_200, isThere: true }));
  expect([top(), more.mock.calls.length]).toEqual([900, 2]);
  // There they go on by themselves.
  await page.draw(createElement(List, { totalPx: 600, isThere: true }));
  expect(more).toHaveBeenCalledTimes(2);
});

test("a reader who moves on by hand is not taken back when more of a list comes", async () => {
  const { useListPlace, rememberPlace } = await loaded("navigate");
  rememberPlace("search", "q", { offsetPx: 900 });
  const page = drawnPage();
  const more = vi.fn();
  const List = ({ totalPx }: { totalPx: number }) => {
    const box = useRef<HTMLDivElement>(null);
    useListPlace({ view: "search", list: "q" }, box, { totalPx, complete: false, more });
    const noLower = (element: HTMLDivElement | null) => {
      box.current = element;
      if (element)
        element.scrollTo = ((_: number, y: number) => (element.scrollTop = Math.min(y, totalPx))) as never;
    };
    return createElement("div", { ref: noLower });
  };
  await page.draw(createElement(List, { totalPx: 300 }));
  const box = document.querySelector("div div") as HTMLElement;
  expect([box.scrollTop, more.mock.calls.length]).toEqual([300, 1]);
  window.dispatchEvent(new Event("wheel"));
  box.scrollTop = 100;
  await page.draw(createElement(List, { totalPx: 1_200 }));
  expect([box.scrollTop, more.mock.calls.length]).toEqual([100, 1]);
});

test("a list keeps where its reader was who scrolled and left in the same frame, not where it was still on its way", async () => {
  const { listPlace, useListPlace, rememberPlace } = await loaded("navigate");
  const page = drawnPage();
  // The box is around what keeps its place, as on the page of usage.
  const Place = ({ list, box }: { list: string; box: RefObject<HTMLDivElement | null> }) => {
    useListPlace({ view: "usage", list }, box, { totalPx: 1_200, complete: true });
    return null;
  };
  const List = ({ list }: { list: string }) => {
    const box = useRef<HTMLDivElement>(null);
    return createElement("div", { ref: box }, createElement(Place, { key: list, list, box }));
  };
  const box = () => document.querySelector("div div") as HTMLElement;
  await page.draw(createElement(List, { list: "a" }));
  box().scrollTop = 900;
  page.leave();
  expect(listPlace("usage", "a").offsetPx).toBe(900);
  // A list that was left where it begins takes no place from another one.
  await page.draw(createElement(List, { list: "b" }));
  page.leave();
  expect(listPlace("usage", "a").offsetPx).toBe(900);
  await page.draw(createElement(List, { list: "a" }));
  box().scrollTop = 300;
  await page.draw(createElement(List, { list: "b" }));
  expect(listPlace("usage", "a").offsetPx).toBe(300);

  rememberPlace("search", "q", { offsetPx: 700 });
  const Coming = () => {
    const part = useRef<HTMLDivElement>(null);
    useListPlace({ view: "search", list: "q" }, part, { totalPx: 0, complete: false });
    return createElement("div", { ref: part });
  };
  page.leave();
  await page.draw(createElement(Coming));
  page.leave();
  expect(listPlace("search", "q").offsetPx).toBe(700);
});
