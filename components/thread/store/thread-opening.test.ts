import { expect, it, onTestFinished, vi } from "vitest";
import { createThreadStore } from "@/components/thread/thread-store";
import { choiceOf, FakeServer, many, opened, opening } from "@/lib/testing/fake-thread";
import type { BranchId, RecordId, SessionId } from "@/lib/wire/ids";

it("tells when the thread is there, and why it can't be", async () => {
  const store = createThreadStore({
    sessionId: "s" as SessionId,
    choice: choiceOf("tools"),
    source: new FakeServer({ tools: many(5) }).source(),
    address: { get: () => ({ branch: null, runs: null, fold: null }), set: () => undefined },
  });
  store.show(choiceOf("tools"));
  expect((await store.whenShown()).windows.getSnapshot().total).toBe(5);
  const failing = createThreadStore({
    sessionId: "s" as SessionId,
    choice: choiceOf("tools"),
    source: { ...new FakeServer({}).source(), firstRows: () => Promise.reject(new Error("no server")) },
    address: { get: () => ({ branch: null, runs: null, fold: null }), set: () => undefined },
  });
  failing.show(choiceOf("tools"));
  await expect(failing.whenShown()).rejects.toThrow("no server");
});

it("knows in another view too which rows have come since the reader was at the end", async () => {
  const rows = many(60);
  const server = new FakeServer({
    tools: rows,
    everything: many(90),
    prompts: rows.filter(([kind]) => kind === "turn"),
  });
  const { store, list } = await opened(server);
  const seenIn = async (detail: "tools" | "everything" | "prompts") => {
    const before = store.get().thread;
    store.show(choiceOf(detail));
    await vi.waitFor(() => expect(store.get().thread).not.toBe(before));
    return store.get().thread?.seenRows;
  };
  expect(await seenIn("everything")).toBeUndefined();
  await seenIn("tools");
  // Rows 45 to 59 have come: of everything that is 45 to 89, of the prompts none.
  list.fresh = 15;
  list.draw();
  expect(await seenIn("everything")).toBe(45);
  list.fresh = 45;
  list.draw();
  expect(await seenIn("prompts")).toBe(3);
  store.dispose();
});

const LEFT = "m~left" as BranchId;

/** A session of which the reader's record is on a branch that was left. */
function rewound(): FakeServer {
  return Object.assign(new FakeServer({ tools: many(200) }), { otherBranch: LEFT, branch: LEFT });
}

it("has the address name the branch of a linked record, or later rows would be the active one's", async () => {
  const { elsewhere } = opening(rewound(), "m~5");
  await vi.waitFor(() => expect(elsewhere).toEqual([`{"branch":"${LEFT}"} null`]));
});

it("so it does for the record at which the reader was before a reload", async () => {
  const place = { recordId: "m~5" as RecordId, block: 0, offsetPx: 0, selected: false };
  const { elsewhere } = opening(rewound(), null, () => ({ place, open: [] }));
  await vi.waitFor(() => expect(elsewhere).toEqual([`{"branch":"${LEFT}"} null`]));
});

it("shows the branch that an address names, also where that names a record of another one", async () => {
  const server = rewound();
  const elsewhere = vi.fn();
  const choice = { ...choiceOf("tools"), branch: "m~other" as BranchId };
  const store = createThreadStore({
    sessionId: "s" as SessionId,
    choice,
    source: server.source(),
    address: { get: () => ({ branch: null, runs: null, fold: null }), set: () => undefined },
    onElsewhere: elsewhere,
  });
  store.show(choice, { at: "m~5" });
  await store.whenShown();
  expect(elsewhere).not.toHaveBeenCalled();
});

it("asks again where no answer comes, as from a connection that is dead, and not where one did", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const server = new FakeServer({ tools: many(5), prompts: many(1) });
  const { store } = opening(server);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.get().attempt).toBe(0);
  // The turns are folded, say.
  server.gate = new Promise(() => undefined);
  store.show(choiceOf("prompts"));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(store.get().attempt).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(store.get().attempt).toBe(1);
  // Given up: the reader has chosen something else.
  store.show(choiceOf("prompts"))();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(store.get().attempt).toBe(1);
});
