// @vitest-environment page
import { act, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import type { ThreadStore } from "@/components/thread/thread-store";
import { parseThreadUrl, type SetThreadUrl, type ThreadUrl } from "@/lib/client/address/session-url";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { AgentId, BranchId, RecordId } from "@/lib/wire/ids";
import type { GraphLine } from "./graph-model";
import { type GraphSelection, useGraphView } from "./use-graph-view";

/** A graph over a session's thread: what its reader chooses, and what the address and the thread make of it. */
async function drawnGraph(search: string) {
  const thread = threadAt(null);
  const atHand = new ThreadAtHand(thread as unknown as ThreadStore);
  const changes = vi.fn<SetThreadUrl>();
  let view: ReturnType<typeof useGraphView> | null = null;
  function Page() {
    const [url, set] = useState<ThreadUrl>(() => parseThreadUrl(search));
    view = useGraphView(atHand, url, (change, how) => {
      changes(change, how);
      set((before) => ({ ...before, ...change }));
    });
    return null;
  }
  await drawnPage().draw(<Page />);
  const ask = (asked: (graph: ReturnType<typeof useGraphView>) => void) =>
    act(async () => {
      if (view) asked(view);
    });
  const go = (selection: GraphSelection) => ask((graph) => graph.go(selection));
  /** The thread of an agent comes to stand beside. */
  const addAgent = (agent: string, recordId: string | null = null) => {
    const beside = threadAt(recordId);
    atHand.add(agent as AgentId, beside as unknown as ThreadStore);
    return beside;
  };
  /** The keys are in the thread of an agent beside. */
  const readAgent = (agent: string, recordId: string) => {
    const beside = addAgent(agent, recordId);
    atHand.take(agent as AgentId);
    return beside;
  };
  const escape = () =>
    act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })));
  return { thread, changes, go, ask, addAgent, readAgent, escape };
}

const threadAt = (recordId: string | null) => ({
  goTo: vi.fn(async () => null),
  whenShown: async () => ({}),
  whenDrawn: async () => undefined,
  release: vi.fn(),
  rowAtHand: () => recordId && { recordId },
});

beforeEach(() => window.history.replaceState({}, "", "/sessions/s"));

const selection = (
  isMain: boolean,
  line: { branch: string | null; agent: string | null },
): GraphSelection => ({
  recordId: "m~7" as RecordId,
  isMain,
  line: { branch: line.branch as BranchId | null, agent: line.agent as AgentId | null } as GraphLine,
});

it("a record of the main line is gone to in the thread itself, whose address names no branch", async () => {
  const { thread, changes, go } = await drawnGraph("?view=graph");
  await go(selection(true, { branch: "m~9", agent: null }));
  expect(changes).toHaveBeenCalledExactlyOnceWith(
    { view: null, branch: null, agent: null, at: "m~7" },
    "push",
  );
  expect(thread.goTo).toHaveBeenCalledExactlyOnceWith({ record: "m~7" });
});

it("a record of another branch opens that branch, and the thread gives up the place that it held", async () => {
  const { thread, changes, go } = await drawnGraph("?view=graph");
  await go(selection(false, { branch: "m~9", agent: null }));
  expect(changes).toHaveBeenCalledExactlyOnceWith(
    { view: null, branch: "m~9", agent: null, at: "m~7" },
    "push",
  );
  expect([thread.release.mock.calls.length, thread.goTo.mock.calls.length]).toEqual([1, 0]);
});

it("an agent's record opens that agent beside the thread, last of those that are open", async () => {
  const { changes, go } = await drawnGraph("?view=graph&panes=agent:a1");
  await go(selection(false, { branch: null, agent: "a2" }));
  await go(selection(false, { branch: null, agent: "a1" }));
  expect(changes.mock.calls.map(([change]) => change.panes)).toEqual([
    "agent:a1,agent:a2",
    "agent:a2,agent:a1",
  ]);
});

it("an agent that opens beside the thread goes to the record that was chosen, and the thread stays where it was", async () => {
  const { thread, changes, ask, go, addAgent } = await drawnGraph("?at=m~1");
  await ask((graph) => graph.toggle());
  const chosen = selection(false, { branch: null, agent: "a1" });
  await ask((graph) => graph.select(chosen));
  await go(chosen);
  expect(changes).toHaveBeenLastCalledWith({ view: null, at: "m~1", panes: "agent:a1" }, undefined);
  const beside = addAgent("a1");
  await until(() => expect(beside.goTo).toHaveBeenCalledExactlyOnceWith({ record: "m~7" }));
  expect(thread.goTo).not.toHaveBeenCalled();
});

it("of two agents that are chosen before the first has come, the last alone goes to its record", async () => {
  const { ask, go, addAgent } = await drawnGraph("?view=graph");
  await go(selection(false, { branch: null, agent: "a1" }));
  await ask((graph) => graph.toggle());
  await go(selection(false, { branch: null, agent: "a2" }));
  const [first, second] = [addAgent("a1"), addAgent("a2")];
  await until(() => expect(second.goTo).toHaveBeenCalledOnce());
  expect(first.goTo).not.toHaveBeenCalled();
});

it("a record of the agent whose thread is the page's own is gone to there, and not shown twice", async () => {
  const { thread, changes, go } = await drawnGraph("?view=graph&agent=a1");
  await go(selection(false, { branch: null, agent: "a1" }));
  expect(changes).toHaveBeenCalledExactlyOnceWith(
    { view: null, branch: null, agent: "a1", at: "m~7" },
    "push",
  );
  expect(thread.goTo).toHaveBeenCalledExactlyOnceWith({ record: "m~7" });
});

it("from an agent beside the thread it opens at the row that is read there, and leads back to what was selected of that agent", async () => {
  const { thread, changes, ask, readAgent, escape } = await drawnGraph("?at=m~1&panes=agent:a1");
  const beside = readAgent("a1", "a~5");
  await ask((graph) => graph.toggle());
  expect(changes).toHaveBeenLastCalledWith({ view: "graph", at: "a~5" }, undefined);
  await ask((graph) => graph.select(selection(false, { branch: null, agent: "a1" })));
  await escape();
  expect(changes).toHaveBeenLastCalledWith({ view: null, at: "m~1" }, undefined);
  expect(beside.goTo).toHaveBeenCalledExactlyOnceWith({ record: "m~7" });
  expect(thread.goTo).not.toHaveBeenCalled();
});

it("after a reload it leads back to the place that the address below it names", async () => {
  window.history.replaceState({ backscroll: { under: "?at=m~1" } }, "", "/sessions/s?view=graph&at=m~9");
  const { changes, escape } = await drawnGraph("?view=graph&at=m~9");
  await escape();
  expect(changes).toHaveBeenLastCalledWith({ view: null, at: "m~1" }, undefined);
});
