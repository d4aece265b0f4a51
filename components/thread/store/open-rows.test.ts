import { describe, expect, it, vi } from "vitest";
import { choiceOf, FakeServer, many, opened } from "@/lib/testing/fake-thread";

describe("what was unfolded in a row", () => {
  it("is kept until the row is closed", async () => {
    const { store } = await opened(new FakeServer({ tools: many(60) }));
    store.openRow("m~1.0");
    store.openRow("m~2.0");
    store.unfoldedIn("m~1.0").set("output a", true);
    store.unfoldedIn("m~2.0").set("output a", 5);
    expect(store.unfoldedIn("m~1.0").get("output a")).toBe(true);
    expect(store.unfoldedIn("m~1.0").get("output b")).toBeUndefined();
    store.toggleOpen("m~1.0");
    store.toggleOpen("m~1.0");
    expect(store.unfoldedIn("m~1.0").get("output a")).toBeUndefined();
    expect(store.unfoldedIn("m~2.0").get("output a")).toBe(5);
  });

  it("is dropped when a whole turn is closed", async () => {
    const { store } = await opened(new FakeServer({ tools: many(30) }));
    store.selectIndex(3);
    store.expandTurn();
    const [key = ""] = store.get().open;
    store.unfoldedIn(key).set("output a", true);
    store.expandTurn();
    expect(store.unfoldedIn(key).get("output a")).toBeUndefined();
  });

  it("is bounded, and what was used first goes first", async () => {
    const { store } = await opened(new FakeServer({ tools: many(60) }));
    for (let row = 0; row < 201; row++) {
      store.unfoldedIn(`m~${row}.0`).set("output a", true);
      // Used again and again.
      store.unfoldedIn("m~0.0").set("output b", row);
    }
    expect(store.unfoldedIn("m~0.0").get("output a")).toBe(true);
    expect(store.unfoldedIn("m~1.0").get("output a")).toBeUndefined();
    expect(store.unfoldedIn("m~2.0").get("output a")).toBe(true);
    for (let part = 0; part < 1_000; part++) store.unfoldedIn("m~2.0").set(`line ${part}`, true);
    expect(store.unfoldedIn("m~2.0").get("output a")).toBeUndefined();
    expect(store.unfoldedIn("m~2.0").get("line 0")).toBe(true);
  });
});

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

  it("is all of the turn that the reader is in, where no row is selected", async () => {
    const { store } = await opened(new FakeServer({ tools: many(30) }));
    expect(store.selected()).toBeNull();
    store.expandTurn();
    expect(store.get().open.size).toBe(19);
  });
});
