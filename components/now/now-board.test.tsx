// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { rememberPlace } from "@/components/ui/list-place";
import { openPageDialog, shownDialog } from "@/lib/client/address/page-dialogs";
import { LiveStatusStore } from "@/lib/client/connection/live-stream";
import { copiedTexts } from "@/lib/testing/copied-texts";
import { type DrawnPage, drawnPage, until } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import type { SessionId } from "@/lib/wire/ids";
import type { NowResponse, NowTile } from "@/lib/wire/live";
import { NowBoard } from "./now-board";

vi.mock("@/lib/client/copy-text", async () => (await import("@/lib/testing/copied-texts")).COPY_MODULE);
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: () => undefined }),
  usePathname: () => "/now",
}));
vi.mock("@/components/library/side-column", () => ({
  SideOwnPlaces: () => null,
  SideProjects: () => null,
  SideSearch: () => null,
}));
vi.mock("@/components/share/page-menu", () => ({ PageMenu: () => null }));
vi.mock("@/components/library/use-library", () => {
  const stream = { status: new LiveStatusStore(), retryNow: () => undefined };
  return { useLiveLibrary: () => stream };
});

const tile = (name: string, state: "running" | "waiting" = "running"): NowTile => {
  const id = name as SessionId;
  return {
    summary: makeSummary({ title: `Session ${name}`, id, state }),
    live: {
      ...{ sessionId: id, state, sinceMs: 1, doing: null, pid: 1, gone: false, checked: true },
      ...{ lastLineAtMs: 1, lastText: null, contextTokens: null, contextLimit: null },
    },
    project: "/home/dev/shop",
    turn: null,
    // Without rows it would be asked for again and again.
    rows: [{ key: "r" }] as never,
    ...{ agents: [], questions: null, resumeCommand: `claude --resume ${name}`, resumeProblem: null },
  };
};

const iconOfTab = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.getAttribute("href");

let board: NowResponse | null;
let polled: number;
let page: DrawnPage;

beforeEach(() => {
  copiedTexts.length = 0;
  rememberPlace("now", "", { cursorKey: null, offsetPx: 0 });
  board = { tiles: [tile("a"), tile("b"), tile("c")], open: [], ended: [] };
  polled = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.includes("/health"))
      return Response.json({ indexing: { done: true, bytesDone: 0 }, watching: { folders: 1, polled } });
    if (board) return Response.json(board);
    const error = {
      code: "internal",
      message: "The board could not be read",
      hint: "Look at the server’s log",
    };
    return Response.json({ error }, { status: 500 });
  });
  page = drawnPage();
});

async function draw(): Promise<void> {
  await page.draw(<NowBoard />);
  await page.settle();
}

/** The server's answer is another one from now on. */
async function change(tiles: NowTile[]): Promise<void> {
  board = { tiles, open: [], ended: [] };
  await act(() => page.client.invalidateQueries({ queryKey: ["now"] }));
  await page.settle();
}

const press = (key: string) =>
  act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
const chosen = () =>
  document.querySelector("article[tabindex='0']")?.getAttribute("data-session-id") ?? "none";

it("the tab says that sessions wait, and how many, for who reads in another tab", async () => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">';
  board = { tiles: [tile("a"), tile("b", "waiting"), tile("c", "waiting")], open: [], ended: [] };
  await draw();
  expect(document.title).toBe("? 2 waiting for you · Running · Backscroll");
  expect(iconOfTab()).toBe("/favicon-waiting.svg");
  await change([tile("a")]);
  expect(document.title).toBe("▸ Running · Backscroll");
  expect(iconOfTab()).toBe("/favicon-running.svg");
  await change([]);
  expect(document.title).toBe("Running · Backscroll");
  expect(iconOfTab()).toBe("/favicon.svg");
});

it("the chosen session stays chosen when another begins to wait and comes first", async () => {
  await draw();
  expect(chosen()).toBe("a");
  await press("j");
  await change([tile("c", "waiting"), tile("a"), tile("b")]);
  expect(chosen()).toBe("b");
  await press("y");
  expect(copiedTexts).toEqual(["claude --resume b"]);
  await press("k");
  expect(chosen()).toBe("a");
});

it("the focus follows the keys, so that a screen reader reads the session and Tab continues in it", async () => {
  await draw();
  await press("j");
  expect(document.activeElement?.getAttribute("data-session-id")).toBe("b");
  // In the list a session is a line, whose link has the focus.
  await press("v");
  await press("j");
  expect(document.activeElement?.textContent).toBe("Session c");
  await press("v");
});

it("when the chosen session leaves the board no key acts on another one", async () => {
  await draw();
  await press("j");
  await change([tile("a"), tile("c")]);
  expect(chosen()).toBe("none");
  await press("y");
  expect(copiedTexts).toEqual([]);
  await press("j");
  expect(chosen()).toBe("a");
});

it("its view is in the address, where Back and a reload find it", async () => {
  onTestFinished(() => window.history.replaceState(null, "", "/now"));
  board = { tiles: [tile("a"), tile("b", "waiting")], open: [], ended: [] };
  await draw();
  const shown = () =>
    [...document.querySelectorAll("article[data-session-id]")].map((one) =>
      one.getAttribute("data-session-id"),
    );
  const waiting = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Waiting",
  );
  await act(async () => waiting?.click());
  await until(() => expect(window.location.search).toBe("?show=waiting"));
  expect(shown()).toEqual(["b"]);
  page.leave();
  await draw();
  expect(shown()).toEqual(["b"]);
});

it("after coming back the opened session is chosen, and the board is at its former position", async () => {
  await draw();
  await press("j");
  page.leave();
  await draw();
  expect(chosen()).toBe("b");
  const [, , third] = document.querySelectorAll<HTMLAnchorElement>("article header a");
  await act(async () => third?.click());
  const feed = () => document.querySelector<HTMLElement>("[role=feed]");
  await act(async () => {
    feed()?.scrollTo(0, 300);
    feed()?.dispatchEvent(new Event("scroll"));
  });
  page.leave();
  await draw();
  expect(chosen()).toBe("c");
  expect(feed()?.scrollTop).toBe(300);
});

it("a board that cannot be read says why and is requested again; it does not say that nothing runs", async () => {
  board = null;
  await draw();
  const text = () => document.body.textContent ?? "";
  expect(text()).toContain("The board could not be read");
  expect(text()).toContain("Look at the server’s log");
  expect(text()).not.toMatch(/No running sessions|0 sessions/);
  board = { tiles: [tile("a")], open: [], ended: [] };
  const again = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Try again",
  );
  await act(async () => again?.click());
  await page.settle();
  expect(chosen()).toBe("a");
});

it("lists ended sessions for an hour, even if nothing else happens meanwhile", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  board = {
    tiles: [],
    open: [],
    ended: [makeSummary({ title: "Session z", id: "z" as SessionId, state: "ended" })],
  };
  await draw();
  // Answers are told by timers, which go on by themselves, but not as soon as others.
  await until(() => expect(document.body.textContent).toContain("Session z"));
  board = { tiles: [], open: [], ended: [] };
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  await until(() => expect(document.body.textContent).not.toContain("Session z"));
});

it("its status line says what is polled, and calls what the keys move to a session: in a list there are no tiles", async () => {
  polled = 1;
  await draw();
  // Each tile has a foot of its own; the page’s is the last.
  const foot = () => [...document.querySelectorAll("footer")].at(-1)?.textContent ?? "";
  await until(() => expect(foot()).toContain("1 folder polled every 2 s"));
  expect(foot()).toContain("jksession");
});

it("where a session's folder is gone, no command that makes it is copied: what is missing is said", async () => {
  const problem = {
    message: "The folder /home/dev/shop is not there",
    hint: "If it was removed, it can be made again, empty.",
    command: "mkdir -p /home/dev/shop && claude --resume a",
    moveCommand: null,
  };
  await draw();
  await change([{ ...tile("a", "waiting"), resumeProblem: problem }]);
  await press("y");
  expect(shownDialog()).toEqual({ about: "a" });
  await act(async () => openPageDialog(null));
  await page.settle();
  const button = document.querySelector<HTMLButtonElement>("button[aria-label='How to resume']");
  expect(button?.title).toBe("The folder /home/dev/shop is not there: see how to resume it");
  await act(async () => button?.click());
  expect(shownDialog()).toEqual({ about: "a" });
  expect(copiedTexts).toEqual([]);
  await act(async () => openPageDialog(null));
});
