// @vitest-environment page
import { act, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { useGraphView } from "@/components/graph/use-graph-view";
import { SessionContext } from "@/components/session/session-store";
import { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import type { ThreadStore } from "@/components/thread/thread-store";
import { parseThreadUrl, type ThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { drawnPage } from "@/lib/testing/drawn-page";
import { FindField } from "./find-field";
import { useFind } from "./use-find";

const choiceOf = (url: ThreadUrl) => threadChoice(url, "tools", true);
const OPENED = parseThreadUrl("?at=m~10");
let opened = OPENED;
let wasRestored = false;
const goTo = vi.fn(async () => null);

/** A thread whose reader has scrolled from m~10 to m~9000. */
const state = { thread: { choice: choiceOf(OPENED), windows: null }, selectedKey: null };
const thread = {
  sessionId: "s",
  get: () => state,
  subscribe: () => () => undefined,
  goTo,
  setHits: () => undefined,
  rowAtHand: () => ({ recordId: "m~9000", block: 0 }),
  selected: () => null,
  wasRestored: () => wasRestored,
  whenDrawn: async () => undefined,
  list: { current: null },
} as unknown as ThreadStore;

const atHand = new ThreadAtHand(thread);

function Views({ url, setUrl }: { url: ThreadUrl; setUrl: (change: Partial<ThreadUrl>) => void }) {
  useGraphView(atHand, url, setUrl);
  return (
    <>
      <FindField find={useFind()} problemId="problem" />
      <main>
        <article aria-posinset={1} tabIndex={0} />
      </main>
      <output>{`${url.view} ${url.at}`}</output>
    </>
  );
}

function Page() {
  const [url, set] = useState(opened);
  const setUrl = (change: Partial<ThreadUrl>) => set((before) => ({ ...before, ...change }));
  const store = { thread, views: { isCovered: () => url.view !== null } };
  const page = { sessionId: "s", session: null, url, setUrl, choice: choiceOf(url), store };
  return (
    <SessionContext value={page as never}>
      <Views url={url} setUrl={setUrl} />
    </SessionContext>
  );
}

beforeEach(() => {
  [opened, wasRestored] = [OPENED, false];
  window.history.replaceState({}, "", "/sessions/s");
  goTo.mockClear();
});

const press = (key: string) =>
  act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));

it("the graph and back leaves the reader where they were, also where the address names another place", async () => {
  await drawnPage().draw(<Page />);
  await press("g");
  expect(document.querySelector("output")?.textContent).toBe("graph m~9000");
  await press("Escape");
  expect(document.querySelector("output")?.textContent).toBe("null m~10");
  expect(goTo).not.toHaveBeenCalled();
});

it("so it does after a reload in the graph", async () => {
  [opened, wasRestored] = [{ ...OPENED, view: "graph", at: "m~9000" }, true];
  window.history.replaceState({ backscroll: { under: "?at=m~10" } }, "", "/sessions/s?view=graph&at=m~9000");
  await drawnPage().draw(<Page />);
  await press("Escape");
  expect(document.querySelector("output")?.textContent).toBe("null m~10");
  expect(goTo).not.toHaveBeenCalled();
});

it("who closes find is at the selected row again, not at the top of the page", async () => {
  await drawnPage().draw(<Page />);
  const field = document.querySelector("input");
  for (const close of [
    () => field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
    () => document.querySelector<HTMLElement>('[aria-label="Close find"]')?.click(),
  ]) {
    await press("/");
    field?.focus();
    await act(async () => void close());
    expect(document.activeElement?.tagName).toBe("ARTICLE");
  }
});
