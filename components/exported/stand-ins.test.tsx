// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { PageDialog } from "@/lib/client/address/page-dialogs";
import type { SetThreadUrl, ThreadUrl } from "@/lib/client/address/session-url";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";

/** What the browser keeps with each entry of the file: a copy of what was written there. */
let entries: unknown[];
let at: number;
let page: DrawnPage;
let url: ThreadUrl;
let setUrl: SetThreadUrl;
let dialog: PageDialog | null;
let openDialog: (opened: PageDialog | null) => void;

const IMAGE = { image: { recordId: "m~3", n: 0 }, sessionId: "s" } as unknown as PageDialog;

beforeEach(async () => {
  [entries, at] = [[null], 0];
  page = drawnPage();
  await load();
});

/** Loads the file at the entry where the browser is. */
async function load(): Promise<void> {
  page.leave();
  vi.resetModules();
  const history = {
    pushState: (state: unknown) => {
      at += 1;
      entries.splice(at, Number.POSITIVE_INFINITY, structuredClone(state));
    },
    replaceState: (state: unknown) => void (entries[at] = structuredClone(state)),
    back: () => setTimeout(() => go(-1)),
  };
  vi.stubGlobal(
    "history",
    Object.defineProperty(history, "state", { get: () => structuredClone(entries[at]) }),
  );
  // The page of the file before that has gone with what it heard.
  const listen = vi.spyOn(window, "addEventListener");
  const { useThreadUrl, usePageDialog, openPageDialog } = await import("./stand-ins");
  heard?.();
  const added = listen.mock.calls.filter(([kind]) => kind === "popstate");
  heard = () => {
    for (const [kind, on] of added) window.removeEventListener(kind, on as EventListener);
  };
  listen.mockRestore();
  openDialog = openPageDialog;
  const View = () => {
    [url, setUrl] = useThreadUrl();
    dialog = usePageDialog();
    return null;
  };
  await page.draw(<View />);
}

let heard: (() => void) | undefined;

function go(by: number): void {
  at += by;
  window.dispatchEvent(new PopStateEvent("popstate", { state: structuredClone(entries[at]) as object }));
}

const back = () => act(async () => go(-1));
const change = (what: Partial<ThreadUrl>) => act(async () => setUrl(what));
/** Once the browser has gone back where it was asked to. */
const gone = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

test("Back closes what was opened in a file, one after the other, and leaves how it is read", async () => {
  await change({ panes: "agent:a1" });
  await change({ panes: "agent:a1,comments" });
  await change({ fold: "1-3" });
  expect(entries).toHaveLength(3);
  await back();
  expect([url.panes, url.fold]).toEqual(["agent:a1", "1-3"]);
  await load();
  expect([url.panes, url.fold], "after a reload").toEqual(["agent:a1", "1-3"]);
  await back();
  expect([url.panes, url.fold, at]).toEqual([null, "1-3", 0]);
  await act(async () => go(1));
  expect(url.panes, "on the way forward").toBe("agent:a1");
});

test("what was opened last is closed by going back, so that no entry is left of it", async () => {
  await change({ panes: "comments" });
  await change({ panes: null });
  // As one closes the comments to go to what they are about.
  await change({ at: "m~7" });
  await gone();
  expect([at, url.panes, url.at]).toEqual([0, null, "m~7"]);
  await change({ agent: "a1" as never });
  await back();
  expect([at, url.agent, url.at]).toEqual([0, null, "m~7"]);
});

test("an image at full size is closed by Back, and otherwise leaves no entry", async () => {
  await act(async () => openDialog(IMAGE));
  expect([at, dialog]).toEqual([1, IMAGE]);
  await load();
  expect(dialog, "after a reload").toEqual(IMAGE);
  await back();
  expect([at, dialog]).toEqual([0, null]);
  await act(async () => openDialog(IMAGE));
  await act(async () => openDialog(null));
  await gone();
  expect([at, dialog]).toEqual([0, null]);
});
