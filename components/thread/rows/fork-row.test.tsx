// @vitest-environment page
import { useQuery } from "@tanstack/react-query";
import { act, useState } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { sessionQuery } from "@/lib/client/queries";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { ForkRowView } from "./fork-row";

const SESSION = "s1" as SessionId;

const BRANCHES = [1, 2].map((number) => ({
  ...{ id: `b${number}`, number, current: number === 2, prompt: "go", rows: 1, atMs: null, endsHere: false },
}));
const FORK = {
  kind: "fork",
  key: "m~1.fork",
  recordId: "m~1",
  block: 0,
  turn: 1,
  branches: BRANCHES,
  count: 2,
};
const STORE = { get: () => ({ choice: { agent: null } }) };

function Page() {
  const { data } = useQuery(sessionQuery(SESSION));
  return (
    <ThreadStoreContext value={STORE as never}>
      <ThreadContext.Provider value={{ sessionId: SESSION, lane: 0 } as never}>
        <h1>{data?.title}</h1>
        <Rows />
      </ThreadContext.Provider>
    </ThreadStoreContext>
  );
}

/** A fork comes into view without the page around it being drawn. */
function Rows() {
  const [isThere, setIsThere] = useState(false);
  if (!isThere)
    return (
      <button type="button" onClick={() => setIsThere(true)}>
        scroll
      </button>
    );
  return <ForkRowView row={FORK as never} open={false} selected={false} />;
}

it("the session's facts are renewed while a fork is on screen, and it says how many branches there are by now", async () => {
  const page = drawnPage();
  const session = { title: "The till", counts: { branches: 2 }, state: "ended", sinceMs: null };
  vi.stubGlobal("fetch", async () => Response.json(session));
  await page.draw(<Page />);
  await page.settle();
  await act(async () => document.querySelector("button")?.click());
  expect(document.body.textContent).toContain("2 of 2");
  session.title = "The till, renamed";
  session.counts.branches = 3;
  await act(() => page.client.invalidateQueries({ queryKey: ["session", SESSION] }));
  await page.settle();
  expect(document.querySelector("h1")?.textContent).toBe("The till, renamed");
  expect(document.body.textContent).toContain("2 of 3");
});
