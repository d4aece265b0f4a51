import { describe, expect, it, vi } from "vitest";
import { choiceOf, FakeServer, many, nameOf, opened, rowOf } from "@/lib/testing/fake-thread";
import type { RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { rowThatHolds } from "./thread-selection";

describe("the selection is a key", () => {
  it("that stays on its row when rows come in above it", async () => {
    const server = new FakeServer({ tools: many(30) });
    const { store } = await opened(server);
    store.selectIndex(12);
    server.views = { tools: [["tool", 0], ["tool", 0, {}], ...many(30).slice(1)] };
    const windows = store.shown()?.windows;
    windows?.accept({ revision: 2, total: 31, from: 0, items: server.rows("tools") });
    expect([store.get().selectedKey, store.get().position.selected]).toEqual(["m~c.0", 13]);
  });

  it("is of several rows from the one that was selected first, until another is selected", async () => {
    const server = new FakeServer({ tools: many(30) });
    const { store } = await opened(server);
    const ends = () => {
      const chosen = store.chosen();
      return chosen && [nameOf(chosen.first), nameOf(chosen.last), chosen.rows];
    };
    store.selectIndex(12);
    expect(ends()).toBeNull();
    store.extendTo(15);
    store.extend(1);
    expect(ends()).toEqual(["tool 12", "tool 16", 5]);
    store.extendTo(10);
    expect(ends()).toEqual(["tool 10", "tool 12", 3]);
    // Rows come in above: both ends go with theirs.
    server.views = { tools: [["tool", 0], ["tool", 0, {}], ...many(30).slice(1)] };
    store.shown()?.windows.accept({ revision: 2, total: 31, from: 0, items: server.rows("tools") });
    expect(ends()).toEqual(["tool 10", "tool 12", 3]);
    store.extendTo(13);
    expect(ends()).toBeNull();
    store.extendTo(20);
    store.selectIndex(20);
    expect(ends()).toBeNull();
  });

  it("is of one row again when the row at its other end is gone", async () => {
    const server = new FakeServer({ tools: many(30) });
    const { store } = await opened(server);
    store.selectIndex(12);
    store.extendTo(15);
    expect(store.chosen()?.rows).toBe(4);
    server.views = { tools: many(30).filter((_, index) => index !== 12) };
    const windows = store.shown()?.windows;
    windows?.accept({ revision: 2, total: 29, from: 0, items: server.rows("tools") });
    expect([nameOf(store.selected()?.row), store.chosen()]).toEqual(["tool 15", null]);
  });

  it("goes to the run that takes its call in", async () => {
    const server = new FakeServer({
      tools: [
        ["turn", 0],
        ["tool", 1],
        ["tool", 2],
        ["tool", 3],
        ["tool", 9],
      ],
    });
    const { store } = await opened(server);
    store.selectIndex(2);
    server.views = {
      tools: [
        ["turn", 0],
        ["run", 1, { run: "m~1.0" }],
        ["tool", 9],
      ],
    };
    const windows = store.shown()?.windows;
    windows?.accept({ revision: 2, total: 3, from: 0, items: server.rows("tools") });
    expect(nameOf(store.selected()?.row)).toBe("run 1");
  });

  it("survives a view that hides its row, and is found again out of view", async () => {
    const server = new FakeServer({
      tools: many(60),
      prompts: many(60).filter(([kind]) => kind === "turn"),
      everything: many(400),
    });
    const { store, list } = await opened(server);
    store.selectIndex(31);
    store.show(choiceOf("prompts"));
    await vi.waitFor(() => expect(store.get().thread?.choice.detail).toBe("prompts"));
    list.draw();
    expect([store.get().selectedKey, store.selected()]).toEqual(["m~v.0", null]);
    store.show(choiceOf("everything"));
    await vi.waitFor(() => expect(store.get().position.selected).toBe(31));
    expect(nameOf(store.selected()?.row)).toBe("tool 31");
  });

  it("is none in another agent's thread", async () => {
    const server = new FakeServer({ tools: many(30), "tools of a1": many(600).slice(500) });
    const { store } = await opened(server);
    store.selectIndex(3);
    store.show(choiceOf("tools", "a1"));
    await vi.waitFor(() => expect(store.get().thread?.choice.agent).toBe("a1"));
    expect(store.get().selectedKey).toBeNull();
  });

  it("is what a link points at", async () => {
    const { store } = await opened(new FakeServer({ tools: many(300) }), "m~3c.0");
    expect(nameOf(store.selected()?.row)).toBe("turn 120");
    expect(store.get().thread?.start).toMatchObject({ index: 120, selected: true });
  });
});

it("a row that is gone is told in the last one before it of the same log", () => {
  const loaded: [number, Row][] = [
    [4, rowOf(["turn", 10])],
    [5, rowOf(["run", 12, { run: "m~c.0" }])],
    [6, { ...rowOf(["tool", 13]), recordId: "a1~d" as RecordId }],
    [7, rowOf(["tool", 30])],
  ];
  expect(nameOf(rowThatHolds(loaded, { recordId: "m~k" as RecordId })?.row)).toBe("run 12");
  expect(rowThatHolds(loaded, { recordId: "m~1" as RecordId })).toBeNull();
});
