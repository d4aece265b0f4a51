// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { useKeepPane } from "@/components/thread/use-reading-place";
import { Toaster } from "@/components/ui/toast";
import { parseThreadUrl, type ThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { type DrawnPage, drawnPage, until } from "@/lib/testing/drawn-page";
import { choiceOf, FakeServer, many, opened } from "@/lib/testing/fake-thread";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Position, Presenting, ThreadStanding } from "@/lib/wire/presence";
import { FollowState } from "./follow-state";
import { forgetTabWindow } from "./tab-window";
import { changeTo, usePresent } from "./use-present";

const SESSION = "s" as SessionId;
const AGENT = "a1" as AgentId;
const url: ThreadUrl = parseThreadUrl(`?panes=agent:${AGENT}`);

type Opened = Awaited<ReturnType<typeof opened>>;

let page: DrawnPage;
let state: FollowState;
let thread: Opened;
let pane: Opened;

beforeEach(async () => {
  page = drawnPage();
  vi.stubGlobal("fetch", async () => Response.json({}));
  forgetTabWindow();
  state = new FollowState(SESSION);
  [thread, pane] = [
    await opened(new FakeServer({ tools: many(60) })),
    await opened(new FakeServer({ tools: many(60) })),
  ];
});

function Follower({ hasPane = true }: { hasPane?: boolean }) {
  usePresent(state, {
    ...{ sessionId: SESSION, thread: thread.store, choice: choiceOf("tools"), url, setUrl: () => undefined },
  });
  return hasPane && <Pane />;
}

function Pane() {
  useKeepPane(AGENT, pane.store, { branch: null, runs: null, fold: null });
  return null;
}

const at = (line: number): ThreadStanding => {
  const recordId = `m~${line.toString(36)}` as RecordId;
  return {
    ...{ at: { key: `${recordId}.0`, recordId, block: 0 }, above: 0 },
    ...{ atEnd: false, open: [], selected: null, showsSelected: false },
  };
};

/** The other window is at these lines, of the thread and of the agent's beside it. */
const tell = (line: number, beside: number) =>
  act(async () => {
    const { branch, agent, detail } = choiceOf("tools");
    const { fold, runs, panes, view, turn, file, version, against, left, right, step, look, range } = url;
    const shown = {
      ...{
        branch,
        agent,
        detail,
        fold,
        runs,
        panes,
        view,
        turn,
        at: null,
        file,
        version,
        against,
        line: null,
      },
      ...{ left, right, step, look, range },
    };
    const position = {
      sessionId: SESSION,
      shown,
      thread: at(line),
      scrolled: null,
      beside: [{ agent: AGENT, thread: at(beside) }],
    };
    state.take({ id: "p1", position, window: "another", followers: null } satisfies Presenting);
  });

it("a reader who stops following is not moved any more, in the agents' panes either", async () => {
  await page.draw(<Follower />);
  await tell(20, 30);
  expect([thread.list.first, pane.list.first]).toEqual([20, 30]);
  await act(async () => state.leave());
  for (const { list, store } of [thread, pane]) {
    list.first = 5;
    // As when a run is opened there.
    store.rested();
  }
  expect([thread.list.first, pane.list.first]).toEqual([5, 5]);
});

it("going back to another view stops following, and closing a dialog with Back does not", async () => {
  const { href } = window.location;
  const step = (to: string) =>
    act(async () => {
      // The browser is there before it tells, and the page's own writes are not asked.
      Reflect.apply(History.prototype.replaceState, window.history, [null, "", to]);
      window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
    });
  await page.draw(<Follower />);
  await tell(20, 30);
  await step(href);
  expect(state.get().role).toBe("follows");
  await step("?view=changes");
  expect(state.get().role).toBe("left");
  await step(href);
});

it("a page that goes says so, and goes on where the browser has kept it, though nothing has changed", async () => {
  const sent: { kind: string; kept?: boolean }[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({});
  });
  const kinds = () => sent.map(({ kind }) => kind);
  await page.draw(<Follower />);
  await act(async () => state.present());
  await until(() => expect(kinds()).toEqual(["present"]));
  const hide = (persisted: boolean) =>
    act(async () => void window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted })));
  await hide(true);
  await until(() => expect(kinds()).toEqual(["present", "leave"]));
  expect(sent[1]?.kept).toBe(true);
  await act(async () => {
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  });
  await until(() => expect(kinds()).toEqual(["present", "leave", "present"]));
  await hide(false);
  await until(() => expect(sent.at(-1)).toMatchObject({ kind: "leave", kept: false }));
  await act(async () => state.end());
  await until(() => expect(kinds().at(-1)).toBe("end"));
});

it("who follows is told that the presenter has left, who has stopped following is not", async () => {
  await page.draw(
    <>
      <Follower />
      <Toaster />
    </>,
  );
  const isTold = () => document.body.textContent.includes("The presenter has left");
  await tell(20, 30);
  await act(async () => state.leave());
  await act(async () => void state.take(null));
  expect(isTold()).toBe(false);
  await tell(20, 30);
  await act(async () => state.rejoin());
  await act(async () => void state.take(null));
  expect(isTold()).toBe(true);
});

it("an agent's pane that opens later than its position is moved there", async () => {
  await page.draw(<Follower hasPane={false} />);
  await tell(20, 30);
  await page.draw(<Follower />);
  expect(pane.list.first).toBe(30);
});

it("a follower sees each call in a row of its own if the presenter does, as during a search", async () => {
  const sent: { kind: string; position?: Position }[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({});
  });
  await page.draw(<Follower />);
  await act(async () => state.present());
  await until(() => expect(sent).not.toHaveLength(0));
  const folded = threadChoice(url, "tools", true);
  expect(folded.runs).not.toBeNull();
  const shown = sent[0]?.position?.shown as Position["shown"];
  const followed = threadChoice({ ...url, ...changeTo(url, folded, shown) }, "tools", true);
  expect(followed.runs).toBe(choiceOf("tools").runs);
  await act(async () => state.end());
  await until(() => expect(sent.at(-1)?.kind).toBe("end"));
});

it("a position that the server has lost is sent again, under the same name, though nothing has changed", async () => {
  const sent: { kind: string; presentation?: string }[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({});
  });
  await page.draw(<Follower />);
  await act(async () => state.present());
  await until(() => expect(sent).toHaveLength(1));
  const position = { sessionId: SESSION } as Position;
  const own = { id: state.presentation, window: state.window, position, followers: null };
  await act(async () => void state.take(own));
  await act(async () => {
    state.connected();
    state.take(null);
  });
  await until(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[1]?.presentation).toBe(state.presentation);
});

it("a follower's page that goes is the same window when it is loaded anew, and no other one's meanwhile", async () => {
  await page.draw(<Follower />);
  await tell(20, 30);
  const event = (kind: string, persisted: boolean) =>
    act(async () => void window.dispatchEvent(Object.assign(new Event(kind), { persisted })));
  await event("pagehide", true);
  await event("pageshow", true);
  expect(new FollowState(SESSION).window).not.toBe(state.window);
  await event("pagehide", false);
  expect(new FollowState(SESSION).window).toBe(state.window);
  // Nor is it another one where its reader comes back to it from a page that was shown in its place.
  page.leave();
  expect(new FollowState(SESSION).window).toBe(state.window);
});
