import { afterEach, describe, expect, it, vi } from "vitest";
import { choiceOf, FakeServer, many, nameOf, opened, opening, rowOf } from "@/lib/testing/fake-thread";
import type { AgentId, BranchId, RecordId } from "@/lib/wire/ids";

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((done) => setImmediate(done, false))]);
}

afterEach(() => {
  vi.useRealTimers();
});

describe("goTo", () => {
  it("resolves when the row is selected and drawn, not before", async () => {
    const { store, list } = await opened(new FakeServer({ tools: many(60) }));
    const gone = store.goTo({ row: 40 });
    expect(await isSettled(gone)).toBe(false);
    expect(nameOf(store.selected()?.row)).toBe("turn 40");
    list.draw();
    expect(nameOf(await gone)).toBe("turn 40");
    expect(store.get().selectedKey).toBe("m~14.0");
  });

  it("loads rows that are far away first", async () => {
    const server = new FakeServer({ tools: many(2_000) });
    const { store, list } = await opened(server);
    const gone = store.goTo({ row: 1_500, align: "center" });
    await vi.waitFor(() => expect(store.selected()?.index).toBe(1_500));
    list.draw();
    expect(nameOf(await gone)).toBe("turn 1500");
    expect(server.asked).toContain("from 1440");
  });

  it("goes to turns, records and errors by what the server says of them", async () => {
    const server = new FakeServer({ tools: many(200) });
    const { store, list } = await opened(server);
    const to = async (...[target]: Parameters<typeof store.goTo>) => {
      const gone = store.goTo(target);
      await vi.waitFor(() => {
        list.draw();
        expect(store.get().position.selected).not.toBeNull();
      });
      const drawing = setInterval(() => list.draw(), 1);
      const row = await gone;
      clearInterval(drawing);
      return nameOf(row);
    };
    expect(await to({ turn: 3 })).toBe("turn 40");
    expect(await to({ record: "m~2s" as RecordId, block: 0 })).toBe("turn 100");
    server.errors = [50, 120, 130];
    expect(await to({ error: 1 })).toBe("turn 120");
    expect(await to({ error: -1 })).toBe("tool 50");
    expect(await to({ row: 130 })).toBe("tool 130");
    expect(await store.goTo({ error: 1 })).toBeNull();
    expect(await to({ error: 1, around: true })).toBe("tool 50");
  });

  it("stands at the row before a record that the view hides, and leads to it in a view that shows it", async () => {
    const server = new FakeServer({
      prompts: many(200).filter(([kind]) => kind === "turn"),
      tools: many(200),
    });
    const { store, list } = await opened(server);
    store.show(choiceOf("prompts"));
    await vi.waitFor(() => expect(store.shown()?.windows.getSnapshot().total).toBe(10));
    list.draw();
    store.rested();
    const gone = store.goTo({ record: "m~1w" as RecordId });
    await vi.waitFor(() => expect(nameOf(store.selected()?.row)).toBe("turn 60"));
    list.draw();
    expect(await gone).toBeNull();
    store.show(choiceOf("tools"));
    await vi.waitFor(() => expect(nameOf(store.selected()?.row)).toBe("tool 68"));
    store.dispose();
  });

  it("unfolds the turn of a record, and no other one, and goes there", async () => {
    const folded = (kind: "turn", at: number, turn: number) => [kind, at, { turn, folded: true }] as const;
    const server = new FakeServer({
      tools: [["turn", 0], [...folded("turn", 10, 2)], [...folded("turn", 20, 3)], ["tool", 30, { turn: 4 }]],
    });
    const { store, list, written } = await opened(server);
    written.push({ fold: "2-3" });
    const gone = store.goTo({ record: "m~f" as RecordId });
    await vi.waitFor(() => expect(written.at(-1)).toEqual({ fold: "3" }));
    server.views.tools?.splice(1, 1, ["turn", 10, { turn: 2 }], ["tool", 15, { turn: 2 }]);
    store.show({ ...choiceOf("tools"), key: "unfolded", fold: "3" });
    await vi.waitFor(() => expect(nameOf(store.selected()?.row)).toBe("tool 15"));
    list.draw();
    expect(nameOf(await gone)).toBe("tool 15");
    store.dispose();
  });

  it("looks for places on the branch that is shown now, where the session went on from an earlier prompt", async () => {
    const server = new FakeServer({ tools: many(60) });
    server.branch = "m~1n" as BranchId;
    const { store } = await opened(server);
    const goneOn = { since: 1, revision: 2, total: 42, stable: 40, branch: "m~1p" as BranchId };
    store
      .shown()
      ?.windows.advance({ ...goneOn, items: [60, 61].map((at, n) => [40 + n, rowOf(["tool", at])]) });
    await store.goTo({ error: 1 });
    expect(server.askedBranch).toBe("m~1p");
    store.dispose();
  });

  it("goes from turn to turn from where the reader is being brought, before that is drawn", async () => {
    const { store, list } = await opened(new FakeServer({ tools: many(200) }));
    const atEnd = store.goTo({ row: 199 });
    await vi.waitFor(() => expect(store.selected()?.index).toBe(199));
    list.draw();
    await atEnd;
    expect(store.get().position.first).toBe(199);
    const back = store.goTo({ row: 0 });
    expect(await isSettled(back)).toBe(false);
    void store.stepTurn(1);
    void store.stepTurn(1);
    await vi.waitFor(() => {
      list.draw();
      expect(nameOf(store.selected()?.row)).toBe("turn 40");
    });
  });

  it("is null for what is not there, and for what the reader left for another place", async () => {
    const { store, list } = await opened(new FakeServer({ tools: many(60) }));
    expect(await store.goTo({ record: "m~zzz" as RecordId })).toBeNull();
    expect(await store.goTo({ turn: 99 })).toBeNull();
    expect(await store.goTo({ error: 1 })).toBeNull();
    const first = store.goTo({ row: 40 });
    const second = store.goTo({ row: 50 });
    expect(await first).toBeNull();
    await vi.waitFor(() => expect(store.selected()?.index).toBe(50));
    list.draw();
    expect(nameOf(await second)).toBe("tool 50");
  });

  it("does not wait for a row that never comes into view", async () => {
    const { store } = await opened(new FakeServer({ tools: many(60) }));
    vi.useFakeTimers();
    const gone = store.goTo({ row: 40 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await gone).toBeNull();
  });

  it("arrives in the thread that shows the record", async () => {
    const server = new FakeServer({ tools: many(60), "tools of a1": many(60) });
    const { store, list, elsewhere } = await opened(server);
    server.elsewhere = { agent: "a1" as AgentId };
    const gone = store.goTo({ record: "m~5" as RecordId });
    await vi.waitFor(() => expect(elsewhere).toEqual(['{"agent":"a1"} m~5']));
    server.elsewhere = undefined;
    store.release();
    store.show(choiceOf("tools", "a1"), { at: "m~5" });
    await vi.waitFor(() => expect(store.get().thread?.choice.agent).toBe("a1"));
    expect(await isSettled(gone)).toBe(false);
    list.first = 0;
    list.draw();
    expect(nameOf(await gone)).toBe("tool 5");
  });

  it("leads to the branch on which the record stands, where that is another than is shown", async () => {
    const server = new FakeServer({ tools: many(60) });
    const { store, elsewhere } = await opened(server);
    server.otherBranch = null;
    void store.goTo({ record: "m~zz" as RecordId });
    await vi.waitFor(() => expect(elsewhere).toEqual(['{"branch":null} m~zz']));
  });

  it("counts steps from where the one before is going", async () => {
    const { store, list } = await opened(new FakeServer({ tools: many(60) }));
    store.selectIndex(3);
    for (let press = 0; press < 3; press++) {
      store.step(1);
      await vi.waitFor(() => expect(store.selected()?.index).toBe(4 + press));
    }
    list.draw();
    expect(store.selected()?.index).toBe(6);
  });

  it("counts steps from the turn that the one before is going to, loaded or not", async () => {
    const server = new FakeServer({ tools: many(2_000) });
    const { store, list } = await opened(server);
    store.selectIndex(5);
    void store.stepTurn(1);
    store.step(1);
    await vi.waitFor(() => expect(store.selected()?.index).toBe(21));
    list.draw();
    server.asked = [];
    void store.goTo({ turn: 50 });
    store.step(1);
    store.step(1);
    await vi.waitFor(() => {
      list.draw();
      expect(store.selected()?.index).toBe(982);
    });
    expect(server.asked).not.toEqual([]);
    store.dispose();
  });

  it("goes to the end of what is opening, not to where what it replaces ended", async () => {
    const server = new FakeServer({ tools: many(60), prompts: many(5) });
    const { store, list } = await opened(server);
    let answer: () => void = () => undefined;
    server.gate = new Promise((resolve) => {
      answer = resolve;
    });
    store.show(choiceOf("prompts"));
    void store.toEnd();
    store.step(-1);
    expect(store.selected()).toBeNull();
    answer();
    await vi.waitFor(() => {
      list.draw();
      expect(store.selected()?.index).toBe(3);
    });
  });

  it("goes to the end of the first thread of a page, however early it is asked to", async () => {
    const server = new FakeServer({ tools: many(60) });
    let answer: () => void = () => undefined;
    server.gate = new Promise((resolve) => {
      answer = resolve;
    });
    const { store, list } = opening(server);
    void store.toEnd();
    store.step(-1);
    answer();
    await vi.waitFor(() => {
      list.draw();
      expect(store.selected()?.index).toBe(58);
    });
  });
});

describe("while only the beginning of a thread is there", () => {
  /** A thread of sixty rows of which the first fifteen are on screen; `readRest` lets the others come. */
  async function begun(server = new FakeServer({ tools: many(60) })) {
    let readRest: () => void = () => undefined;
    let failToRead: (reason: Error) => void = () => undefined;
    server.gate = new Promise((resolve, reject) => {
      readRest = resolve;
      failToRead = reject;
    });
    server.begunWith = 15;
    const { store, list } = opening(server);
    await vi.waitFor(() => expect(store.shown()?.windows.getSnapshot().total).toBe(15));
    list.draw();
    const until = (row: number) =>
      vi.waitFor(() => {
        list.draw();
        expect(store.selected()?.index).toBe(row);
      });
    return { store, list, readRest, failToRead, until };
  }

  it("moves in it, and says of no row that it waits for the rest", async () => {
    const { store, until } = await begun();
    store.step(1);
    await until(0);
    store.step(1);
    await until(1);
    expect(store.get().awaitsRest).toBe(false);
  });

  it("goes to the end of the whole, and steps from there", async () => {
    const { store, readRest, until } = await begun();
    void store.toEnd();
    store.step(-1);
    expect(store.selected()).toBeNull();
    expect(store.get().awaitsRest).toBe(true);
    readRest();
    await until(58);
    expect(store.get().awaitsRest).toBe(false);
  });

  it("goes on below its last row when there is more", async () => {
    const { store, list, readRest, until } = await begun();
    list.first = 5;
    list.draw();
    store.selectIndex(14);
    for (let press = 0; press < 3; press++) store.step(1);
    store.step(-1);
    expect(store.selected()?.index).toBe(14);
    expect(store.get().awaitsRest).toBe(true);
    readRest();
    await until(16);
  });

  it("looks for places in the whole", async () => {
    const server = new FakeServer({ tools: many(60) });
    server.errors = [50];
    const { store, readRest, until } = await begun(server);
    void store.goTo({ error: 1 });
    expect(store.get().awaitsRest).toBe(true);
    readRest();
    await until(50);
  });

  it("goes nowhere that was taken back meanwhile", async () => {
    const server = new FakeServer({ tools: many(60) });
    server.errors = [50];
    const { store, list, readRest } = await begun(server);
    void store.toEnd();
    void store.goTo({ error: 1 });
    store.leave();
    expect(store.get().awaitsRest).toBe(false);
    readRest();
    await vi.waitFor(() => expect(store.get().thread).not.toBeNull());
    list.draw();
    await new Promise((later) => setTimeout(later, 5));
    list.draw();
    expect(store.selected()).toBeNull();
  });

  it("stays where the reader has gone meanwhile", async () => {
    const { store, list, readRest } = await begun();
    void store.toEnd();
    store.selectIndex(4);
    expect(store.get().awaitsRest).toBe(false);
    readRest();
    await vi.waitFor(() => expect(store.get().thread).not.toBeNull());
    list.draw();
    await new Promise((later) => setTimeout(later, 5));
    list.draw();
    expect(store.selected()?.index).toBe(4);
  });

  it("ends with it where the rest cannot be read", async () => {
    const { store, failToRead, until } = await begun();
    const gone = store.goTo({ error: 1 });
    failToRead(new Error("no server"));
    expect(await gone).toBeNull();
    expect(store.get().error?.message).toBe("no server");
    // What there is can be read.
    void store.toEnd();
    await until(14);
    store.step(1);
    store.step(-1);
    await until(13);
  });
});
