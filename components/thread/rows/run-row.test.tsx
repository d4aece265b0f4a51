// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import { RunRowView } from "./run-row";

const ROW = {
  ...{ key: "m~1.0", recordId: "m~1", block: 0, turn: 1, atMs: 1, lanes: [], spine: 0, shows: [] },
  ...{ kind: "run", run: "run of m~1", lastRecordId: "m~9", server: null, calls: 14, open: false },
  ...{ name: "Read", subject: "14 files", aside: "cart.ts, \u001b[1mtill.ts\u001b[0m" },
  ...{ added: null, removed: null },
};

async function show(more: object = {}) {
  const toggleRun = vi.fn<(run: string) => void>();
  const actions = { sessionId: "s", lane: 0, toggleRun } as never;
  await drawnPage().draw(
    <ThreadContext.Provider value={actions}>
      <RunRowView row={{ ...ROW, ...more } as never} open={false} selected={false} />
    </ThreadContext.Provider>,
  );
  const button = document.querySelector<HTMLElement>("[aria-expanded]");
  return { text: document.body.textContent, button, toggleRun };
}

it("says how many of what its calls are about, and which, until it is opened", async () => {
  const closed = await show();
  expect(closed.text).toContain("14 filescart.ts, till.ts");
  expect(closed.button?.getAttribute("aria-expanded")).toBe("false");
  const open = await show({ open: true });
  expect(open.text).toContain("14 files");
  expect(open.text).not.toContain("cart.ts");
  expect(open.button?.getAttribute("aria-expanded")).toBe("true");
});

it("opens and closes by the name of its run", async () => {
  const { button, toggleRun } = await show();
  await act(async () => button?.click());
  expect(toggleRun.mock.calls).toEqual([["run of m~1"]]);
});

it("has the lines that its calls changed together", async () => {
  const { text } = await show({ name: "Edit", added: 31, removed: 4 });
  expect(text).toMatch(/\+31.*[−-]4/);
});

it("stands under its server, with the tool's own name before what it is about", async () => {
  const { text } = await show({ server: "github", name: "list_issues", subject: "3 calls" });
  expect(text).toMatch(/github.*list_issues 3 calls/);
});
