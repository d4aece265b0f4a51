// @vitest-environment page
import { enableHistorySync } from "nuqs/adapters/react";
import { act, createElement, useEffect } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { currentEntry, pushEntryHere } from "./history-entry";
import { followHistory, useThreadUrl } from "./session-history";
import type { SetThreadUrl } from "./session-url";

let page: DrawnPage;
let setUrl: SetThreadUrl;
let version: string | null;

// As the router of the page, the address of a drawn one follows what is written to the history.
enableHistorySync();

beforeEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, "", "/sessions/s1?view=changes&file=a.ts&version=1");
  page = drawnPage();
});

const nothing = () => undefined;

function Session() {
  const [url, set] = useThreadUrl();
  useEffect(() => {
    ({ version } = url);
    setUrl = set;
  });
  useEffect(() => followHistory({ beforeLeaving: nothing, onOtherGround: nothing, onReturn: nothing }), []);
  return null;
}

/** The page goes, and the browser has it again at the address that it knew, which takes no writes meanwhile. */
async function reload(): Promise<void> {
  const { href } = window.location;
  window.dispatchEvent(new Event("pagehide"));
  page.leave();
  expect(window.location.href).toBe(href);
  await page.draw(createElement(Session));
  await page.settle();
}

test("what the address was about to say when the page was loaded again, it says then", async () => {
  await page.draw(createElement(Session));
  setUrl({ version: "2" }, "late");
  await reload();
  expect(window.location.search).toContain("version=2");
  expect(version).toBe("2");
});

test("so it does with what was still written while the page was about to be loaded again", async () => {
  await page.draw(createElement(Session));
  const { href } = window.location;
  const { state } = window.history;
  setUrl({ version: "2" }, "late");
  window.dispatchEvent(new Event("beforeunload"));
  await act(() => vi.waitFor(() => expect(window.location.search).toContain("version=2")));
  window.dispatchEvent(new Event("pagehide"));
  page.leave();
  // The browser loads the address that the page had when that was asked for.
  window.history.replaceState(state, "", href);
  await page.draw(createElement(Session));
  await page.settle();
  expect(window.location.search).toContain("version=2");
  expect(version).toBe("2");
});

test("that counts once: who goes back to where the address was then stays there", async () => {
  await page.draw(createElement(Session));
  setUrl({ version: "2" }, "late");
  await reload();
  await act(async () => setUrl({ version: "1" }));
  await act(() => vi.waitFor(() => expect(window.location.search).toContain("version=1")));
  page.leave();
  await page.draw(createElement(Session));
  await page.settle();
  expect(version).toBe("1");
});

test.each([
  ["another page", "/?q=cart"],
  ["an earlier entry of the session", "/sessions/s1"],
])(
  "what the address was about to say when the reader went back to %s, it says when he is there again",
  async (_, below) => {
    await page.draw(createElement(Session));
    const { href } = window.location;
    const { state } = window.history;
    setUrl({ version: "2" }, "late");
    await goneTo(below);
    await goneTo(href, state);
    await page.settle();
    expect(window.location.search).toContain("version=2");
    expect(version).toBe("2");

    async function goneTo(to: string, of: unknown = { backscroll: { ground: "other" } }): Promise<void> {
      const isOther = new URL(to, window.location.href).pathname !== window.location.pathname;
      // The browser has gone there before it tells.
      Reflect.apply(History.prototype.replaceState, window.history, [of, "", to]);
      await act(async () => {
        window.dispatchEvent(new PopStateEvent("popstate", { state: of }));
      });
      if (!isOther) return;
      page.leave();
      if (to === href) await page.draw(createElement(Session));
    }
  },
);

test("where a row stands is said of that row alone: with another one it is left out, whatever else changes it stays", async () => {
  window.history.replaceState(null, "", "/sessions/s1?at=m~10&y=240");
  await page.draw(createElement(Session));
  const says = (search: string) => act(() => vi.waitFor(() => expect(window.location.search).toBe(search)));
  await act(async () => setUrl({ detail: "everything" }));
  await says("?at=m~10&y=240&detail=everything");
  await act(async () => setUrl({ at: "m~10", detail: null }));
  await says("?at=m~10&y=240");
  await act(async () => setUrl({ at: "m~20" }));
  await says("?at=m~20");
});

test("what was selected in the graph is no place in the views that follow it, one after the other", async () => {
  window.history.replaceState(null, "", "/sessions/s1?at=m~1");
  await page.draw(createElement(Session));
  const steps = [{ view: "graph" }, { at: "m~9" }, { view: "waterfall" }, { view: "context" }] as const;
  for (const step of steps) {
    await act(async () => setUrl(step));
    await act(() => vi.waitFor(() => expect(window.location.search).toContain(Object.values(step)[0])));
  }
  expect(new URLSearchParams(window.location.search).get("at")).toBe("m~1");
});

test("who follows another window has one entry for it, above what they saw before, and closing there what the other has opened leads nobody back", async () => {
  await page.draw(createElement(Session));
  const entries = window.history.length;
  await act(async () => setUrl({ view: null, panes: "files" }, "followed"));
  await act(async () => setUrl({ version: "3" }, "followed"));
  await act(() => vi.waitFor(() => expect(window.location.search).toContain("version=3")));
  expect(window.history.length).toBe(entries + 1);
  await reload();
  await act(async () => setUrl({ version: "4" }, "followed"));
  await act(() => vi.waitFor(() => expect(version).toBe("4")));
  expect(window.history.length).toBe(entries + 1);
  const back = vi.spyOn(window.history, "back");
  await act(async () => setUrl({ version: "1", view: "changes", panes: null }));
  await act(() => vi.waitFor(() => expect(version).toBe("1")));
  expect(back).not.toHaveBeenCalled();
});

test("a dialog that is open while another window is followed stays, and has no entry above it", async () => {
  await page.draw(createElement(Session));
  pushEntryHere({ ground: "g", dialog: "keys" });
  const entries = window.history.length;
  await act(async () => setUrl({ version: "3" }, "followed"));
  await act(() => vi.waitFor(() => expect(version).toBe("3")));
  expect(window.history.length).toBe(entries);
  expect(currentEntry().dialog).toBe("keys");
});
