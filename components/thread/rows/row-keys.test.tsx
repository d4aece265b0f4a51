// @vitest-environment page
import { expect, it } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { Rail } from "@/components/thread/rail/rail";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Row } from "@/lib/wire/rows";
import { RowLine } from "./row-line";
import { TurnHeader } from "./turn-line";

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

it("what folds a turn is there for who does not see the rail that it stands on", async () => {
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>
      <Rail node={{ shape: "tool" }} broken>
        <button type="button">Fold turn 1</button>
      </Rail>
    </ThreadContext.Provider>,
  );
  expect(document.querySelector("button")?.closest("[aria-hidden=true]")).toBeNull();
  expect(document.querySelector("svg")?.closest("[aria-hidden=true]")).not.toBeNull();
});

it.each([
  ["offers to fold its turn", { toggleFold: () => undefined }, 1],
  ["offers nothing in a thread whose turns do not fold, as an agent's beside another", {}, 0],
])("the number of a turn %s", async (_, actions, offered) => {
  const facts = {
    ...{
      turn: 1,
      prompt: { text: "go", cut: false, length: 2 },
      source: "agent",
      atMs: null,
      durationMs: null,
    },
    ...{ folded: false, toolCalls: 0, errors: 0, denied: 0, added: 0, removed: 0, agents: 0, usage: null },
  };
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0, ...actions } as never}>
      <TurnHeader facts={facts as never} />
    </ThreadContext.Provider>,
  );
  expect(document.querySelectorAll('[aria-label="Fold turn 1"]')).toHaveLength(offered);
  expect(document.body.textContent).toContain("1");
});
