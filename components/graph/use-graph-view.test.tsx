// @vitest-environment page
import { act, useState } from "react";
import { expect, it, vi } from "vitest";
import type { ThreadStore } from "@/components/thread/thread-store";
import { parseThreadUrl, type SetThreadUrl, type ThreadUrl } from "@/lib/client/address/session-url";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { AgentId, BranchId, RecordId } from "@/lib/wire/ids";
import type { GraphLine } from "./graph-model";
import { type GraphSelection, useGraphView } from "./use-graph-view";

/** A graph over a session's thread: what its reader chooses, and what the address and the thread make of it. */
async function drawnGraph(search: string) {
  const thread = { goTo: vi.fn(async () => null), release: vi.fn(), rowAtHand: () => null };
  const changes = vi.fn<SetThreadUrl>();
  let view: ReturnType<typeof useGraphView> | null = null;
  function Page() {
    const [url, set] = useState<ThreadUrl>(() => parseThreadUrl(search));
    view = useGraphView(thread as unknown as ThreadStore, url, (change, how) => {
      changes(change, how);
      set((before) => ({ ...before, ...change }));
    });
    return null;
  }
  await drawnPage().draw(<Page />);
  const go = (selection: GraphSelection) => act(async () => view?.go(selection));
  return { thread, changes, go };
}

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
