// @vitest-environment page
import { act, useState } from "react";
import { expect, it, vi } from "vitest";
import { CodeBlock } from "@/components/content/code/code-block";
import { LineSelectionActionsContext } from "@/components/content/line-selection";
import type { ThreadStore } from "@/components/thread/thread-store";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { FakeServer, many, opened } from "@/lib/testing/fake-thread";
import type { Row } from "@/lib/wire/rows";
import { ThreadItem } from "./thread-item";

const picked: string[] = [];
const drawnRows: string[] = [];
/** Shows what was left out of a text, and is gone then. */
function LeftOut() {
  const [isShown, setIsShown] = useState(false);
  return isShown ? null : (
    <button type="button" onClick={() => setIsShown(true)}>
      Show the rest
    </button>
  );
}
vi.mock("@/components/annotations/row-annotations", () => ({ RowAnnotationMarks: () => null }));
// What an opened call shows.
vi.mock("@/components/thread/thread-row", () => ({
  ThreadRow: ({ row }: { row: Row }) => {
    drawnRows.push(row.key);
    return (
      <LineSelectionActionsContext value={{ pick: (line, extend) => void picked.push(`${line} ${extend}`) }}>
        <CodeBlock text={"a\nb\nc\nd"} firstLine={1} language={null} />
        <LeftOut />
      </LineSelectionActionsContext>
    );
  },
}));

const ROW = {
  key: "m~1.0",
  kind: "tool",
  recordId: "m~1",
  block: 0,
  turn: 1,
  name: "Read",
  state: "ok",
  subject: "",
  shows: [],
};

const measure = () => undefined;
const thread = async () => (await opened(new FakeServer({ tools: many(9) }))).store;

/** These rows of the thread, from its fourth on. */
function items(store: ThreadStore, ...rows: object[]) {
  return (
    <ThreadStoreContext value={store}>
      {rows.map((row, at) => (
        <ThreadItem
          key={at}
          index={3 + at}
          total={9}
          apartPx={null}
          placeholderPx={null}
          wasClosed={false}
          coversHeader={false}
          isFirstNew={false}
          parallel={null}
          row={row as Row}
          turnMs={null}
          measure={measure}
        />
      ))}
    </ThreadStoreContext>
  );
}

it("a row that the keys go to says what it is, and how its call ended", async () => {
  const page = drawnPage();
  const store = await thread();
  const named = async (row: object) => {
    await page.draw(items(store, { ...ROW, ...row }));
    return document.querySelector("article")?.getAttribute("aria-label");
  };
  const text = (words: string) => ({ text: words, cut: false, length: words.length });
  expect(await named({ name: "Bash", subject: "npm test", state: "error" })).toBe("Bash npm test, error");
  expect(await named({ name: "Read", subject: "a.ts", state: "ok" })).toBe("Read a.ts");
  expect(await named({ kind: "text", text: text("All **three** agree.") })).toBe("Answer: All three agree.");
  expect(await named({ kind: "turn", turn: 3, prompt: text("Fix the test\nplease") })).toBe(
    "turn 3: Fix the test",
  );
});

it("a click with Shift selects lines up to it on a line's number, and rows up to it elsewhere", async () => {
  const store = await thread();
  store.openRow(ROW.key);
  const extendTo = vi.spyOn(store, "extendTo");
  await drawnPage().draw(items(store, ROW));
  const click = (target: Element | null | undefined, shiftKey: boolean) =>
    act(async () => {
      target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
    });
  const numberOf = (line: number) =>
    [...document.querySelectorAll("button")].find((one) => one.textContent === `${line}`);
  await click(numberOf(2), false);
  await click(numberOf(4), true);
  expect(picked).toEqual(["2 false", "4 true"]);
  expect(extendTo).not.toHaveBeenCalled();
  await click(document.querySelector("article"), true);
  expect(extendTo).toHaveBeenCalledWith(3);
});

it("the focus stays in the row when the button that had it has shown what was left out, and is gone", async () => {
  const store = await thread();
  store.openRow(ROW.key);
  await drawnPage().draw(items(store, ROW));
  const rest = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Show the rest",
  );
  rest?.focus();
  await act(async () => rest?.click());
  await until(() => expect(document.activeElement?.tagName).toBe("ARTICLE"));
});

it("what the reader does to a row draws that one alone", async () => {
  const store = await thread();
  const rows = [3, 4, 5].map((at) => ({ ...ROW, key: `m~${at}.0`, recordId: `m~${at}` }));
  await drawnPage().draw(items(store, ...rows));
  drawnRows.length = 0;
  await act(async () => store.toggleOpen("m~4.0"));
  expect(drawnRows).toEqual(["m~4.0"]);
  await act(async () => store.selectIndex(5));
  expect(drawnRows).toEqual(["m~4.0", "m~5.0"]);
  const chosen = () => [...document.querySelectorAll("article")].map(({ dataset }) => "chosen" in dataset);
  await act(async () => store.extendTo(4));
  expect(chosen()).toEqual([false, true, true]);
});
