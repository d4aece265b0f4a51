// @vitest-environment page

import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { SessionContext } from "@/components/session/session-store";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { parseThreadUrl, threadChoice } from "@/lib/client/address/session-url";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { BranchId } from "@/lib/wire/ids";
import { Outline } from "./outline";
import { TurnList } from "./turn-list";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));

const url = parseThreadUrl("?");
const choice = threadChoice(url, "tools", true);
const position = { first: 0, last: 0, total: 0, turn: 1, selected: null, atEnd: false, fresh: 0 };
const state = { thread: null, position, choice };
const thread = { sessionId: "s", get: () => state, subscribe: () => () => undefined };
const counts = { branches: 1, turns: 4, files: 3, agents: 5, toolCalls: 9 };
const session = { project: { path: "/p" }, revision: 1, branches: [], counts };
const store = { thread, views: { isCovered: () => false }, closeOutline: () => undefined };
const page = { sessionId: "s", session, url, setUrl: () => undefined, choice, store };

it("a list of the outline that cannot be read says why, and asks again", async () => {
  const refused = { error: { code: "busy", message: "Too many requests", hint: "Wait a moment." } };
  const asked = vi.fn(async (_path: string) => Response.json(refused, { status: 429 }));
  vi.stubGlobal("fetch", asked);
  await drawnPage().draw(
    <SessionContext value={page as never}>
      <ThreadStoreContext value={thread as never}>
        <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>
          <Outline docked sheetOpen={false} />
        </ThreadContext.Provider>
      </ThreadStoreContext>
    </SessionContext>,
  );
  const shown = () => document.querySelector('[role="tabpanel"]:not([hidden])');
  for (const [name, path] of [
    ["Turns", "/outline"],
    ["Files", "/files"],
    ["Agents", "/agents"],
  ] as const) {
    const tab = [...document.querySelectorAll<HTMLElement>('[role="tab"]')].find((one) =>
      one.textContent?.startsWith(name),
    );
    await act(async () => {
      tab?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 }));
    });
    await act(() => vi.waitFor(() => expect(shown()?.textContent).toContain("Too many requests")));
    expect(shown()?.textContent).not.toContain("No agents");
    asked.mockClear();
    const again = [...(shown()?.querySelectorAll("button") ?? [])].find(
      (one) => one.textContent === "Try again",
    );
    await act(async () => again?.click());
    await act(() => vi.waitFor(() => expect(asked.mock.calls.some(([of]) => of.includes(path))).toBe(true)));
  }
});

it("the turn that started the shown agent is asked for on each branch", async () => {
  const asked = vi.fn(async (path: string) =>
    Response.json(
      path.includes("/rows")
        ? {
            revision: 1,
            total: 9,
            from: 4,
            rows: [{ turn: path.includes("b2") ? 3 : 2 }],
            at: 4,
            branch: null,
          }
        : { revision: 1, total: 0, from: 0, entries: [] },
    ),
  );
  vi.stubGlobal("fetch", asked);
  const agent = { agentId: "a1", depth: 0, parentRecordId: "m~40", parentToolUseId: "t1" };
  const page = drawnPage();
  for (const branch of ["b1", "b2"] as BranchId[]) {
    await page.draw(
      <ThreadStoreContext value={thread as never}>
        <TurnList
          {...{ sessionId: "s" as never, only: null, isOther: true, revision: 1, onGo: () => undefined }}
          choice={threadChoice({ ...url, branch }, "tools", true)}
          agents={[agent as never]}
          shownAgent={agent as never}
        />
      </ThreadStoreContext>,
    );
    await page.settle();
    const rows = asked.mock.calls.map(([path]) => path).filter((path) => path.includes("/rows"));
    expect(rows.filter((path) => path.includes(`branch=${branch}`))).toHaveLength(1);
  }
});

it.each([
  ["a session without prompts, once that is known,", 0, null, "", "No prompts in this session."],
  [
    "a part of the time in which no turn was",
    4,
    [],
    "No turns in this part of the session.",
    "No turns in this part of the session.",
  ],
])("of %s the list of turns says so", async (_, total, only, before, words) => {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const page = drawnPage();
  await page.draw(
    <ThreadStoreContext value={thread as never}>
      <TurnList
        {...{ sessionId: "s" as never, only, isOther: false, revision: 1, onGo: () => undefined }}
        {...{ choice, agents: [], shownAgent: null }}
      />
    </ThreadStoreContext>,
  );
  expect(document.body.textContent).toBe(before);
  await act(async () => answer(Response.json({ revision: 1, total, from: 0, turns: [] })));
  await until(() => expect(document.body.textContent).toBe(words));
});
