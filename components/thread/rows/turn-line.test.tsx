// @vitest-environment page
import { expect, it } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import { TurnHeader } from "./turn-line";

const FACTS = {
  ...{ turn: 1, prompt: { text: "go", cut: false, length: 2 }, source: "typed", durationMs: null },
  ...{ folded: false, toolCalls: 0, errors: 0, denied: 0, added: 0, removed: 0, agents: 0, usage: null },
};

it.each([
  [
    "of another day says which, since a session may go on for weeks",
    40,
    /\d{1,2} [A-Z][a-z]{2}( \d{4})? \d\d:\d\d/,
  ],
  ["of today says its time alone", 0, /^\d\d:\d\d$/],
])("a turn %s", async (_, daysAgo, says) => {
  const atMs = Date.now() - daysAgo * 86_400_000;
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>
      <TurnHeader facts={{ ...FACTS, atMs } as never} />
    </ThreadContext.Provider>,
  );
  expect(document.querySelector("time")?.textContent).toMatch(says);
});

it("says that its prompt was taken back, in words of the page's own, which find leaves out", async () => {
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>
      <TurnHeader facts={{ ...FACTS, atMs: null, takenBack: true } as never} />
    </ThreadContext.Provider>,
  );
  expect(document.querySelector("h2 [data-log=none]")?.textContent).toBe("taken back");
});
