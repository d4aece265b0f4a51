import { expect, it } from "vitest";
import { createThreadStore } from "@/components/thread/thread-store";
import { choiceOf, FakeServer, many } from "@/lib/testing/fake-thread";
import type { SessionId } from "@/lib/wire/ids";

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
