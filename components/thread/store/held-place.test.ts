import { describe, expect, it } from "vitest";
import { FakeServer, many, opened } from "@/lib/testing/fake-thread";

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
