import { describe, expect, it, vi } from "vitest";
import { choiceOf, FakeServer, many, nameOf, opened } from "@/lib/testing/fake-thread";
import type { BranchId, RecordId } from "@/lib/wire/ids";

const views = () => ({
  tools: many(200),
  prompts: many(200).filter(([kind]) => kind === "turn"),
  everything: many(300),
});

/** Opens another view of the thread, as the list would show it: where the thread says. */
async function change(
  { store, list }: Awaited<ReturnType<typeof opened>>,
  detail: "tools" | "prompts" | "everything",
): Promise<string | null> {
  const before = store.get().thread;
  store.show(choiceOf(detail));
  await vi.waitFor(() => expect(store.get().thread).not.toBe(before));
  const { index = 0, offsetPx = 0 } = store.get().thread?.start ?? {};
  list.first = Math.max(0, index - Math.floor((offsetPx ?? 0) / 24));
  list.draw();
  store.rested();
  return nameOf(store.shown()?.windows.itemAt(index));
}

describe("what stays in place", () => {
  it("is the selected row while it is in view, else the first in view", async () => {
    const { store, list } = await opened(new FakeServer({ tools: many(60) }));
    store.selectIndex(4);
    expect(store.place()).toMatchObject({ recordId: "m~4", offsetPx: 96, selected: true });
    list.first = 20;
    // The header of the turn stands over the first: the second is the first that is seen whole.
    expect(store.place()).toMatchObject({ recordId: "m~l", offsetPx: 24, selected: false });
  });

  it("is a fork that is selected, whose own record may be of a branch that is left", async () => {
    const rows = many(60);
    rows.splice(41, 0, ["fork", 40, { turn: 3 }]);
    const { store, list } = await opened(new FakeServer({ tools: rows }));
    list.first = 38;
    list.draw();
    store.selectIndex(41);
    const above = store.shown()?.windows.itemAt(40)?.recordId;
    expect(store.place()).toMatchObject({ recordId: above, offsetPx: 72, selected: false, fork: true });
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
    expect(store.place()).toMatchObject({ recordId: "m~1", selected: true });
    store.toggleSelected();
    expect(written.at(-1)).toEqual({ runs: null });
  });
});

describe("the record that is read", () => {
  it("is come back to from views that hide it, at the same height", async () => {
    const thread = await opened(new FakeServer(views()));
    thread.list.first = 67;
    const place = thread.store.place();
    expect(place).toMatchObject({ recordId: "m~1w", offsetPx: 24, selected: false });
    // What stands for it is the row before.
    expect(await change(thread, "prompts")).toBe("turn 60");
    expect(thread.store.place()).toEqual(place);
    expect(await change(thread, "everything")).toBe("tool 68");
    expect(await change(thread, "prompts")).toBe("turn 60");
    expect(await change(thread, "tools")).toBe("tool 68");
    expect(thread.store.get().thread?.start).toMatchObject({ offsetPx: 24, selected: false });
  });

  it("is selected again where it was selected", async () => {
    const thread = await opened(new FakeServer(views()));
    thread.store.selectIndex(8);
    await change(thread, "prompts");
    expect(thread.store.selected()).toBeNull();
    await change(thread, "tools");
    expect(thread.store.get().thread?.start).toMatchObject({ index: 8, selected: true });
    expect(nameOf(thread.store.selected()?.row)).toBe("tool 8");
  });

  it("is another one as soon as the reader moves or selects", async () => {
    const thread = await opened(new FakeServer(views()));
    thread.list.first = 67;
    await change(thread, "prompts");
    thread.list.first = 0;
    expect(thread.store.place()).toMatchObject({ recordId: "m~k" });
    await change(thread, "tools");
    expect(thread.store.get().thread?.start).toMatchObject({ index: 20, offsetPx: 24 });

    thread.list.first = 67;
    await change(thread, "prompts");
    thread.store.selectIndex(5);
    expect(thread.store.place()).toMatchObject({ recordId: "m~2s", selected: true });
  });

  it("is where the reader has moved to, also where a narrower list is scrolled by as much as he has", async () => {
    const thread = await opened(new FakeServer(views()));
    const { store, list } = thread;
    list.first = 67;
    await change(thread, "everything");
    const atRestPx = store.list.current?.scrolled() ?? 0;
    list.first = 40;
    expect(store.place()).toMatchObject({ recordId: "m~15", offsetPx: 24 });
    // A pane beside it: rows above the view have more lines.
    if (store.list.current) store.list.current.scrolled = () => atRestPx;
    expect(store.place()).toMatchObject({ recordId: "m~15", offsetPx: 24 });
  });

  it("is the fork at which another branch was chosen, also after a view that is too short for its height", async () => {
    const rows = many(200);
    rows.splice(41, 0, ["fork", 40, { turn: 3 }]);
    const thread = await opened(
      new FakeServer({ tools: rows, prompts: rows.filter(([kind]) => kind !== "tool") }),
    );
    const { store, list } = thread;
    list.first = 33;
    const fork = store.shown()?.windows.itemAt(41);
    if (!fork) throw new Error("the fork is not loaded");
    store.switchBranch("m~1" as BranchId, fork);
    expect(await change(thread, "tools")).toBe("fork 40");
    const { start } = store.get().thread ?? {};
    expect(start).toMatchObject({ offsetPx: 192, selected: true });
    expect(await change(thread, "prompts")).toBe("fork 40");
    // Its height is more than the rows above it take.
    expect(store.list.current?.offsetOf(3)).toBe(72);
    expect(await change(thread, "tools")).toBe("fork 40");
    expect(store.get().thread?.start).toEqual(start);
  });

  it("is the header of a turn that is folded over the selected row, until it is unfolded again", async () => {
    const folded = many(60).filter(([kind, , more]) => kind === "turn" || more?.turn !== 2);
    const thread = await opened(
      new FakeServer({
        tools: many(60),
        // The turns are folded, say.
        prompts: folded.map(([kind, at, more]) => [kind, at, { ...more, folded: more?.turn === 2 }]),
      }),
    );
    const { store } = thread;
    thread.list.first = 22;
    store.selectIndex(28);
    thread.list.draw();
    expect(await change(thread, "prompts")).toBe("turn 20");
    expect(nameOf(store.selected()?.row)).toBe("turn 20");
    expect(await change(thread, "tools")).toBe("tool 28");
    expect(nameOf(store.selected()?.row)).toBe("tool 28");
  });

  it("is where the reader came from, on the way back, and what the address names where that is not known", async () => {
    const thread = await opened(new FakeServer(views()));
    const { store } = thread;
    thread.list.first = 100;
    store.returnTo({ recordId: "m~5" as RecordId, block: 0, offsetPx: 48, selected: false });
    const before = store.get().thread;
    store.show(choiceOf("tools"));
    await vi.waitFor(() => expect(store.get().thread).not.toBe(before));
    expect(store.get().thread?.start).toMatchObject({ index: 5, offsetPx: 48, focused: false });
    store.returnTo(null);
    store.show(choiceOf("tools"), { at: "m~3c.0", y: 200 });
    await vi.waitFor(() =>
      expect(store.get().thread?.start).toMatchObject({ index: 120, offsetPx: 200, selected: true }),
    );
  });

  it("has the focus on the way back, where the thread that is left has it", async () => {
    const { store } = await opened(new FakeServer(views()));
    if (store.list.current) store.list.current.hasFocus = () => true;
    store.returnTo({ recordId: "m~5" as RecordId, block: 0, offsetPx: 48, selected: true, focused: false });
    const before = store.get().thread;
    store.show(choiceOf("tools"));
    await vi.waitFor(() => expect(store.get().thread).not.toBe(before));
    expect(store.get().thread?.start).toMatchObject({ index: 5, selected: true, focused: true });
  });

  it("is where a link led: in the middle, where it names no height", async () => {
    const thread = await opened(new FakeServer(views()), "m~3c.0");
    thread.list.first = 115;
    thread.list.draw();
    thread.store.rested();
    expect(thread.store.place()).toMatchObject({ recordId: "m~3c", offsetPx: 120, selected: true });
    // A view that hides it leads back to it there.
    await change(thread, "prompts");
    expect(thread.store.place()).toMatchObject({ recordId: "m~3c", offsetPx: 120 });
    await change(thread, "tools");
    expect(thread.store.get().thread?.start).toMatchObject({ index: 120, offsetPx: 120, selected: true });
  });

  it("is restored with the rows that were open", async () => {
    const server = new FakeServer(views());
    const { store } = await opened(server);
    expect([...store.get().open]).toEqual([]);
    const again = await opened(server, "m~3c.0", () => ({
      place: { recordId: "m~1e" as RecordId, block: 0, offsetPx: -40, selected: true },
      open: ["m~1e.0"],
    }));
    expect(again.store.get().thread?.start).toMatchObject({ index: 50, offsetPx: -40, selected: true });
    expect([...again.store.get().open]).toEqual(["m~1e.0"]);
  });
});
