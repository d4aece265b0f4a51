import { beforeEach, describe, expect, it } from "vitest";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import type { SessionId } from "@/lib/wire/ids";
import type { PresentedView, Presenting } from "@/lib/wire/presence";
import { FollowState } from "./follow-state";
import { changeTo } from "./use-present";

const SESSION = "s1" as SessionId;
let state: FollowState;
beforeEach(() => {
  state = new FollowState(SESSION);
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
