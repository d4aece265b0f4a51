import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import type { SessionId } from "@/lib/wire/ids";
import type { PresentedView, Presenting } from "@/lib/wire/presence";
import { FollowState } from "./follow-state";
import { changeTo } from "./use-present";

const SESSION = "s1" as SessionId;
/** What the tab keeps, and how its page was opened. */
const area = new Map<string, string>();
let type: "navigate" | "reload" | "back_forward";
/** When its document was loaded. */
let timeOrigin: number;
let state: FollowState;
beforeEach(() => {
  area.clear();
  type = "reload";
  timeOrigin = 1;
  vi.spyOn(performance, "getEntriesByType").mockImplementation(() => [{ type } as never]);
  vi.spyOn(performance, "timeOrigin", "get").mockImplementation(() => timeOrigin);
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => area.get(key) ?? null,
    setItem: (key: string, text: string) => void area.set(key, text),
    removeItem: (key: string) => void area.delete(key),
  });
  state = new FollowState(SESSION);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const told = (id: string, window: string | null = "another", sessionId = SESSION) =>
  ({ id, window, position: { sessionId }, followers: null }) as unknown as Presenting;

const role = () => state.get().role;

describe("a window that receives a presentation", () => {
  it("follows until its reader leaves, and again when they say so", () => {
    state.take(null);
    expect(role()).toBe("none");
    state.take(told("p1"));
    expect(role()).toBe("follows");
    state.leave();
    state.take(told("p1"));
    expect(role()).toBe("left");
    state.rejoin();
    state.take(told("p1"));
    expect(role()).toBe("follows");
  });

  it("follows the next presentation although it has left the one before", () => {
    state.take(told("p1"));
    state.leave();
    state.take(null);
    expect(role()).toBe("none");
    state.take(told("p2"));
    expect(role()).toBe("follows");
  });

  it("stays away from one that it has left, over a restart of the server", () => {
    state.take(told("p1"));
    state.leave();
    state.connected();
    state.take(null);
    state.take(told("p1"));
    expect(role()).toBe("left");
  });

  it("ignores presentations of another session", () => {
    state.take(told("p1", null, "s2" as SessionId));
    expect(state.get()).toMatchObject({ role: "none", presenting: null });
  });

  it("is informed again on each stream, once", () => {
    state.connected();
    state.take(told("p1"));
    const { connection } = state.get();
    state.take(told("p1"));
    expect(state.get().connection).toBe(connection);
    state.connected();
    state.take(told("p1"));
    expect(state.get().connection).toBe(connection + 1);
  });
});

describe("a window that presents", () => {
  it("presents until it ends that", () => {
    state.present();
    // A message from before the server knew about it.
    expect(state.take(null)).toBe(false);
    expect(role()).toBe("presents");
    state.take(told("p1", state.window));
    expect(state.get()).toMatchObject({ role: "presents", presenting: { id: "p1" } });
    state.end();
    expect(role()).toBe("none");
    // An echo of before.
    state.take(told("p1", state.window));
    expect(role()).toBe("none");
  });

  it("ends if another window replaced it, here or in another session; it then stays where it is", () => {
    state.present();
    state.take(told("p2", state.window));
    expect(state.take(told("p3"))).toBe(true);
    expect(role()).toBe("left");
    state.present();
    state.take(told("p4", state.window));
    expect(state.take(told("p5", "another", "s2" as SessionId))).toBe(true);
    expect(role()).toBe("none");
  });

  it("goes on if the server has lost it, and counts that once; until another window replaced it", () => {
    state.present();
    const { presentation } = state;
    state.take(told(presentation, state.window));
    for (const losses of [1, 2]) {
      state.connected();
      expect([state.take(null), state.take(null)]).toEqual([false, false]);
      expect(state.get()).toMatchObject({ role: "presents", losses });
      expect(state.presentation).toBe(presentation);
      state.take(told(presentation, state.window));
    }
    state.take(null);
    state.take(told("p2"));
    // It has not been presented anew yet.
    expect(role()).toBe("presents");
    state.take(told(presentation, state.window));
    expect(state.take(told("p2"))).toBe(true);
    state.present();
    expect(state.presentation).not.toBe(presentation);
  });
});

describe("the address of one that follows", () => {
  const presented: PresentedView = {
    ...{ branch: null, agent: null, detail: "tools", fold: null, runs: null, panes: null },
    ...{ view: null, turn: null, at: null, file: null, version: null, against: null, line: null },
    ...{ left: null, right: null, step: null, look: null, range: null },
  };
  const choice = { branch: null, agent: null, detail: "tools" } as const;
  const change = (search: string, shown: Partial<PresentedView>) =>
    changeTo(parseThreadUrl(search), choice, { ...presented, ...shown });

  it("changes only in what differs, and keeps its position and its own comments", () => {
    expect(change("?at=m~1&y=20", {})).toEqual({});
    expect(change("?panes=comments", {})).toEqual({});
    expect(change("?panes=record:m~1,comments", { panes: "agent:a1" })).toEqual({
      panes: "agent:a1,comments",
    });
    expect(change("?at=m~1", { detail: "everything", view: "graph", at: "m~9" })).toEqual({
      ...{ detail: "everything", view: "graph", at: "m~9" },
    });
  });

  it("names no record of the graph any more once that is closed", () => {
    expect(change("?view=graph&at=m~9", {})).toEqual({ view: null, at: null });
    expect(change("?view=graph&at=m~9", { view: "graph", at: "m~8" })).toEqual({ at: "m~8" });
  });
});

describe("a page that is shown in the tab of one that presented", () => {
  /** The page that presents goes, and another one is there. */
  function nextPage(sessionId = SESSION): { before: FollowState; after: FollowState } {
    const before = new FollowState(SESSION);
    before.connected();
    before.present();
    before.leavePage();
    timeOrigin = 2;
    return { before, after: new FollowState(sessionId) };
  }

  it.each([
    ["by a link in a page that was not loaded again", () => void ([type, timeOrigin] = ["navigate", 1])],
    ["by the browser's Back", () => void (type = "back_forward")],
    ["after some minutes", () => void vi.useFakeTimers({ now: Date.now() + 240_000, toFake: ["Date"] })],
  ])("goes on with it where the tab has come back %s, also over another session's page", (_, happens) => {
    const { before, after } = nextPage();
    happens();
    new FollowState("s2" as SessionId).connected();
    after.connected();
    expect([after.get().role, after.presentation]).toEqual(["presents", before.presentation]);
  });

  it.each([
    ["was ended", (before: FollowState) => before.end()],
    ["another window has taken over", (before: FollowState) => void before.take(told("p2"))],
    ["another session is presented since", () => new FollowState("s2" as SessionId).present()],
  ])("presents nothing any more that %s", (_, happens) => {
    const { before, after } = nextPage();
    before.take(told(before.presentation, before.window));
    happens(before);
    after.connected();
    expect(after.get().role).toBe("none");
  });

  it("goes on with it after a reload, and is not taken for one that follows its own former page", () => {
    const { before, after } = nextPage();
    after.connected();
    expect([after.get().role, after.presentation]).toEqual(["presents", before.presentation]);
    expect(after.take(told(before.presentation, before.window))).toBe(false);
    expect(after.get().role).toBe("presents");
    after.take(told(before.presentation, after.window));
    expect(after.take(told("p2"))).toBe(true);
    expect(after.get().role).toBe("left");
  });

  it("gives way to another window that presents since", () => {
    const { after } = nextPage();
    after.connected();
    expect(after.take(told("p2"))).toBe(true);
    expect(after.get().role).toBe("left");
  });

  it("goes on once: not again after it has ended that, and on no later stream", () => {
    const { after } = nextPage();
    after.connected();
    after.end();
    after.connected();
    expect(after.get().role).toBe("none");
  });

  it.each([
    ["another page was opened since", () => void (type = "navigate")],
    ["it is long ago", () => void vi.useFakeTimers({ now: Date.now() + 301_000, toFake: ["Date"] })],
  ])("presents nothing where %s", (_, happens) => {
    const { after } = nextPage();
    happens();
    after.connected();
    expect(after.get().role).toBe("none");
  });

  it.each(["before", "after"])(
    "opened anew at another place, stays there: what it is told of its own former page %s the hello is not followed",
    (when) => {
      const { before, after } = nextPage();
      type = "navigate";
      const former = told(before.presentation, before.window);
      if (when === "before") after.take(former);
      after.connected();
      after.take(former);
      expect(after.get().role).toBe("left");
      after.take(null);
      after.take(told("p2"));
      expect(after.get().role).toBe("follows");
    },
  );

  it("presents no other session, and nothing where nothing was presented", () => {
    const { after } = nextPage("s2" as SessionId);
    after.connected();
    expect(after.get().role).toBe("none");
    area.clear();
    const quiet = new FollowState(SESSION);
    quiet.leavePage();
    expect(area.size).toBe(0);
  });
});

describe("a page that is loaded anew in its tab", () => {
  it("is the same reader to who presents, once, and stays away where its reader had stopped following", () => {
    state.take(told("p1"));
    state.leave();
    state.keepWindow();
    expect(new FollowState("s2" as SessionId).window).not.toBe(state.window);
    const after = new FollowState(SESSION);
    expect(after.window).toBe(state.window);
    after.take(told("p1"));
    expect(after.get().role).toBe("left");
    after.take(told("p2"));
    expect(after.get().role).toBe("follows");
    // A copy of the tab, made while the page is there.
    expect(new FollowState(SESSION).window).not.toBe(after.window);
  });

  it.each([
    ["another session is shown", "s2", () => undefined],
    ["it presented", SESSION, () => state.present()],
  ])("is another window where %s", (_, sessionId, happens) => {
    happens();
    state.keepWindow();
    expect(new FollowState(sessionId as SessionId).window).not.toBe(state.window);
  });
});
