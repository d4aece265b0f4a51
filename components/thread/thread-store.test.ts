import { afterEach, describe, expect, it, vi } from "vitest";
import { type ThreadChoice, threadChoice } from "@/lib/client/session-url";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import type { ThreadSource } from "./open-thread";
import { createThreadStore, rowThatHolds, type ThreadAddress, type ThreadStore } from "./thread-store";

/** A row of the log's line number `at`: `tool 12` is the first block of record `m~c`. */
type Told = [kind: "turn" | "tool" | "run", at: number, more?: { turn?: number; run?: string }];

function rowOf([kind, at, { turn = 1, run } = {}]: Told): Row {
  const recordId = `m~${at.toString(36)}`;
  const key = kind === "run" ? `${recordId}.0.run` : `${recordId}.0`;
  return { kind, key, recordId, block: 0, turn, atMs: null, ...(run ? { run, open: false } : {}) } as Row;
}

const nameOf = (row: Row | null | undefined) =>
  row ? `${row.kind} ${Number.parseInt(row.recordId.slice(2), 36)}` : null;

/** A server's thread: `views` by the detail that is asked for. */
class FakeServer {
  revision = 1;
  asked: string[] = [];
  elsewhere: RowsResponse["elsewhere"];
  errors: number[] = [];
  edits: number[] = [];
  views: Record<string, Told[]>;
  /** Answers wait until this is resolved. */
  gate: Promise<void> = Promise.resolve();

  constructor(views: Record<string, Told[]>) {
    this.views = views;
  }

  rows(detail: string): Row[] {
    return (this.views[detail] ?? []).map(rowOf);
  }

  source(): ThreadSource {
    const viewOf = ({ detail, agent }: { detail?: string | null; agent?: string | null }) =>
      this.rows(agent ? `${detail ?? "tools"} of ${agent}` : (detail ?? "tools"));
    const answer = async (query: {
      detail?: string | null;
      agent?: string | null;
      from?: number | null;
      around?: RecordId | null;
      count?: number | null;
    }): Promise<RowsResponse> => {
      this.asked.push(query.around ? `around ${query.around}` : `from ${query.from ?? 0}`);
      await this.gate;
      const all = viewOf(query);
      const count = query.count ?? 80;
      const at = query.around ? all.findIndex(({ recordId }) => recordId === query.around) : -1;
      const from = query.around ? Math.max(0, at - Math.floor(count / 2)) : (query.from ?? 0);
      const { elsewhere, revision } = this;
      return {
        revision,
        total: all.length,
        from,
        rows: all.slice(from, from + count),
        at: at < 0 ? null : at,
        branch: null,
        ...(query.around && elsewhere ? { elsewhere } : {}),
      };
    };
    return {
      rows: (_, query) => answer(query),
      firstRows: async (_, query) => ({ body: await answer(query), progress: null as never }),
      outline: async (_, query) => {
        const all = viewOf(query);
        const turns = all.flatMap((row, index) =>
          row.kind === "turn" ? [{ turn: row.turn, row: index }] : [],
        );
        const from = query.from ?? 0;
        return { revision: 1, total: turns.length, from, turns: turns.slice(from, from + 1) as never };
      },
      errors: async () => ({
        revision: 1,
        rows: this.errors,
        denied: 0,
        hidden: 0,
        elsewhere: 0,
        places: [],
        edits: this.edits,
        forks: [],
      }),
    };
  }
}

const VIEW_ROWS = 10;

/** A list of ten rows' height that draws when it is told to. */
class FakeList {
  first = 0;
  focused = 0;
  constructor(private readonly store: ThreadStore) {
    store.list.current = {
      scrollTo: (index, align) => {
        const isInView = index >= this.first && index < this.first + VIEW_ROWS;
        if (align !== "auto" || !isInView) this.first = Math.max(0, align === "center" ? index - 5 : index);
      },
      focus: () => {
        this.focused += 1;
      },
      scrollToShare: () => undefined,
      toEnd: () => undefined,
      reveal: () => undefined,
      offsetOf: (index) => (index - this.first) * 24,
      inView: () => ({ first: this.first, last: this.first + VIEW_ROWS - 1 }),
      hasFocus: () => false,
      topPlace: () => null,
    };
  }

  draw(): void {
    const windows = this.store.shown()?.windows;
    const total = windows?.getSnapshot().total ?? 0;
    const last = Math.min(total, this.first + VIEW_ROWS) - 1;
    const turn = windows?.itemAt(this.first)?.turn ?? 0;
    const { selected } = this.store.get().position;
    this.store.onDrawn({ first: this.first, last, total, turn, selected, atEnd: false, fresh: 0 });
  }
}

const choiceOf = (detail: "tools" | "everything" | "prompts", agent: string | null = null): ThreadChoice =>
  threadChoice({ branch: null, agent, detail, fold: null }, "tools", false);

const many = (count: number): Told[] =>
  Array.from(
    { length: count },
    (_, at): Told => [at % 20 === 0 ? "turn" : "tool", at, { turn: 1 + Math.floor(at / 20) }],
  );

async function opened(server: FakeServer, at: string | null = null) {
  const written: Partial<ThreadAddress>[] = [];
  const elsewhere: string[] = [];
  const store = createThreadStore({
    sessionId: "s" as SessionId,
    choice: choiceOf("tools"),
    source: server.source(),
    address: {
      get: () => Object.assign({ branch: null, runs: null, fold: null }, ...written) as ThreadAddress,
      set: (change) => written.push(change),
    },
    onElsewhere: (where, id) => elsewhere.push(`${JSON.stringify(where)} ${id}`),
  });
  const list = new FakeList(store);
  store.show(choiceOf("tools"), { at });
  await vi.waitFor(() => expect(store.get().thread).not.toBeNull());
  list.draw();
  return { store, list, written, elsewhere };
}

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
});

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

describe("what stays in place", () => {
  it("is the selected row while it is in view, else the first in view", async () => {
    const { store, list } = await opened(new FakeServer({ tools: many(60) }));
    store.selectIndex(4);
    expect(store.anchor()).toMatchObject({ recordId: "m~4", offsetPx: 96, selected: true });
    list.first = 20;
    expect(store.anchor()).toMatchObject({ recordId: "m~k", offsetPx: 0, selected: false });
    store.release();
    expect(store.anchor()).toBeNull();
  });

  it("is the run that is opened, and is asked for in the address", async () => {
    const server = new FakeServer({
      tools: [
        ["turn", 0],
        ["run", 1, { run: "m~1.0" }],
        ["tool", 9],
      ],
    });
    const { store, written } = await opened(server);
    store.selectIndex(1);
    store.toggleSelected();
    expect(written).toEqual([{ runs: "m~1.0" }]);
    expect(store.anchor()).toMatchObject({ recordId: "m~1", selected: true });
    store.toggleSelected();
    expect(written.at(-1)).toEqual({ runs: null });
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
});

it("hits are told to who draws them, once", async () => {
  const { store } = await opened(new FakeServer({ tools: many(5) }));
  let told = 0;
  store.subscribe(() => told++);
  const hits = ["m~1" as RecordId];
  store.setHits(hits, "retry");
  store.setHits(hits, "retry");
  expect([told, store.get().hits]).toEqual([1, hits]);
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
