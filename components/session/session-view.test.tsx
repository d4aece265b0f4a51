// @vitest-environment page
import { act, type ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { ThreadTarget } from "@/components/thread/store/thread-journeys";
import { isWriting } from "@/lib/client/address/address-writes";
import { shownDialog } from "@/lib/client/address/page-dialogs";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { SESSION_VIEWS } from "./session-parts";
import { SessionPage } from "./session-view";

const SESSION = "s1" as SessionId;

vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: () => undefined }),
  usePathname: () => "/sessions/s1",
  useSearchParams: () => new URLSearchParams(),
}));
// What is loaded by the page's parts is of no matter here.
vi.mock("@/components/graph/graph-view", async (original) => ({
  ...(await original<object>()),
  GraphView: () => <p>the graph</p>,
}));
vi.mock("./changes/changes-view", () => ({ ChangesView: () => <p>the changes</p> }));
vi.mock("./outline/turn-list", () => ({
  TurnList: ({ onGo }: { onGo: (target: ThreadTarget, record: RecordId) => void }) => (
    <button type="button" onClick={() => onGo({ row: 9 }, "m~40" as RecordId)}>
      Turn 3
    </button>
  ),
}));
vi.mock("./bars/session-top", () => ({ SessionTop: () => null }));
vi.mock("./bars/session-foot", () => ({ SessionFoot: () => null }));
vi.mock("./thread-pane", () => ({
  ThreadPane: () => (
    <main tabIndex={0}>
      <article aria-posinset={3} tabIndex={0}>
        the selected row
      </article>
    </main>
  ),
}));
vi.mock("./following/use-followed-session", () => ({
  useFollowedSession: () => ({ stream: null, views: null, unseen: null }),
  useFollowPreference: () => undefined,
}));
vi.mock("./comments/session-comments", () => ({
  SessionComments: ({ children }: { children: ReactNode }) => children,
  useCommentPlaces: () => ({ open: 0, records: [] }),
}));
vi.mock("./comments/comments-pane", () => ({ CommentsPane: () => null, showsComments: () => false }));

/** However busy the machine is. */
const SOON = { timeout: 60_000 };
const NEVER = new Promise(() => undefined);

let page: DrawnPage;

beforeEach(async () => {
  await SESSION_VIEWS.load();
  const file = { path: "/home/dev/cart.ts", added: 1, removed: 0, calls: 1, recordIds: ["m~10"] };
  vi.stubGlobal("fetch", (path: string) =>
    path.includes("/files") ? Promise.resolve(Response.json({ files: [file], nextCursor: null })) : NEVER,
  );
  page = drawnPage();
});

/** Opens the page at an address, to which nothing is written any more that another page was told. */
async function open(query: string): Promise<void> {
  await vi.waitFor(() => expect(isWriting()).toBe(false), SOON);
  window.history.replaceState(null, "", `/sessions/s1${query}`);
  await page.draw(<SessionPage sessionId={SESSION} />);
}

const buttons = () => [...document.querySelectorAll<HTMLButtonElement>("button")];
const named = (name: string) =>
  buttons().find((one) => (one.getAttribute("aria-label") ?? one.textContent) === name);
const inBar = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>("nav[aria-label=Session] button")].find(
    ({ textContent }) => textContent === name,
  );
const parameters = () => Object.fromEntries(new URLSearchParams(window.location.search));

async function press(button: HTMLElement | undefined): Promise<void> {
  if (!button || button.closest("[inert]")) throw new Error("cannot be pressed");
  await act(async () => button.click());
}

/** Waits until the address says this, and the page is drawn with it. */
async function expectAddress(expected: Record<string, string>): Promise<void> {
  await act(() => vi.waitFor(() => expect(parameters()).toEqual(expected), SOON));
}

it("the outline that is opened over a view is used there: it closes, and a turn of it is gone to in the thread", async () => {
  await open("?view=graph&at=m~10");
  await press(inBar("Turns"));
  await expectAddress({ view: "graph", at: "m~10", sheet: "outline" });
  await press(named("Close outline"));
  await expectAddress({ view: "graph", at: "m~10" });
  await press(inBar("Turns"));
  await expectAddress({ view: "graph", at: "m~10", sheet: "outline" });
  await press(named("Turn 3"));
  await expectAddress({ at: "m~40" });
  expect(document.body.textContent).not.toContain("the graph");
  await act(async () => window.history.back());
  await expectAddress({ view: "graph", at: "m~10" });
});

it("changes that the outline's files lead to are not covered by it", async () => {
  await open("?sheet=outline");
  const files = buttons().find(({ role, textContent }) => role === "tab" && textContent === "Files");
  await act(async () => void files?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true })));
  await act(() => vi.waitFor(() => expect(named("All changes on one page")).toBeDefined(), SOON));
  await press(named("All changes on one page"));
  await expectAddress({ view: "changes" });
});

it("Escape closes the pane that was opened last, whichever it is, one at a time", async () => {
  const escape = () =>
    act(
      async () =>
        void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
    );
  for (const [panes, left] of [
    ["record:m~10,comments", "record:m~10"],
    ["comments,record:m~10", "comments"],
  ] as const) {
    await open(`?panes=${panes}`);
    await escape();
    await expectAddress({ panes: left });
    await escape();
    await expectAddress({});
    expect(parameters()).toEqual({});
    page.leave();
  }
});

it("the tab bar's steps do nothing while the thread is covered, as their keys", async () => {
  await open("?view=changes");
  expect(["Previous", "Next", "Errors"].map((name) => inBar(name)?.disabled)).toEqual([true, true, true]);
  await press(inBar("Changes"));
  await expectAddress({});
  expect(["Previous", "Next"].map((name) => inBar(name)?.disabled)).toEqual([false, false]);
});

it("turns can be folded only when it is known how many there are, and unfolded at any time", async () => {
  await open("");
  expect(named("Fold all turns")?.disabled).toBe(true);
  page.leave();
  await open("?fold=1-3");
  await press(named("Unfold all turns"));
  await expectAddress({});
});

it("the key for the export is taken before what is exported is known", async () => {
  await open("");
  await act(
    async () => void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "x", bubbles: true })),
  );
  expect(shownDialog()).toBe("export");
});

it("the focus goes to what covers the thread, and to its selected row when what had it closes", async () => {
  const focused = () => document.activeElement?.textContent;
  await open("");
  act(() => document.querySelector("article")?.focus());
  await press(inBar("Changes"));
  await expectAddress({ view: "changes" });
  expect(focused()).toBe("the changes");
  await press(inBar("Changes"));
  await expectAddress({});
  expect(focused()).toBe("the selected row");

  page.leave();
  await open("?panes=files");
  const close = named("Close Files");
  act(() => close?.focus());
  await press(close);
  await expectAddress({});
  expect(focused()).toBe("the selected row");
});

it.each(["waterfall", "compare", "context", "changes"])(
  "Escape leads out of the %s while what it shows is still asked for",
  async (view) => {
    await open(`?view=${view}`);
    expect(parameters().view).toBe(view);
    await act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })));
    await expectAddress({});
    page.leave();
  },
);
