// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Row } from "@/lib/wire/rows";
import { RowLine } from "./row-line";

const ROW = { kind: "thinking", key: "k", text: { text: "a thought" }, durationMs: null, span: null } as Row;

it.each([
  ["stays out of the way of Tab where the list has keys for its rows", { toRow: () => undefined }, -1],
  ["is reached by Tab in a thread inside a row, whose rows no key selects", {}, 0],
])("what opens a row %s", async (_, actions, tabIndex) => {
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0, ...actions } as never}>
      <RowLine row={ROW} open={false} name="Thinking" subject="a thought" />
    </ThreadContext.Provider>,
  );
  expect(document.querySelector<HTMLElement>("[aria-expanded]")?.tabIndex).toBe(tabIndex);
});
