import { describe, expect, it, vi } from "vitest";
import { choiceOf, FakeServer, many, opened } from "@/lib/testing/fake-thread";

describe("what is open", () => {
  it("is kept by key, through another view of the thread", async () => {
    const { store } = await opened(new FakeServer({ tools: many(60), everything: many(60) }));
    store.toggleOpen("m~1.0");
    store.openRow("m~2.0");
    store.openRow("m~2.0");
    store.show(choiceOf("everything"));
    await vi.waitFor(() => expect(store.get().thread?.choice.detail).toBe("everything"));
    expect([...store.get().open]).toEqual(["m~1.0", "m~2.0"]);
    store.toggleOpen("m~1.0");
    expect([...store.get().open]).toEqual(["m~2.0"]);
  });

  it("is all of the turn, and none of it when all were open", async () => {
    const { store } = await opened(new FakeServer({ tools: many(30) }));
    store.selectIndex(3);
    store.expandTurn();
    expect(store.get().open.size).toBe(19);
    store.expandTurn();
    expect(store.get().open.size).toBe(0);
  });
});
