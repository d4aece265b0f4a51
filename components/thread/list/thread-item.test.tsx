// @vitest-environment page
import { act, type ComponentProps, useState } from "react";
import { expect, it, vi } from "vitest";
import { CodeBlock } from "@/components/content/code/code-block";
import { LineSelectionActionsContext } from "@/components/content/line-selection";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { ThreadItem } from "./thread-item";

const picked: string[] = [];
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
  ThreadRow: () => (
    <LineSelectionActionsContext value={{ pick: (line, extend) => void picked.push(`${line} ${extend}`) }}>
      <CodeBlock text={"a\nb\nc\nd"} firstLine={1} language={null} />
      <LeftOut />
    </LineSelectionActionsContext>
  ),
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

function item(row: object, props: Partial<ComponentProps<typeof ThreadItem>> = {}) {
  return (
    <ThreadItem
      index={3}
      total={9}
      apartPx={null}
      placeholderPx={null}
      wasClosed={false}
      coversHeader={false}
      isFirstNew={false}
      parallel={null}
      row={row}
      turnMs={null}
      open={new Set()}
      selected={false}
      chosen={false}
      measure={() => undefined}
      onSelect={() => undefined}
      onExtend={() => undefined}
      {...props}
    />
  );
}

it("a row that the keys go to says what it is, and how its call ended", async () => {
  const page = drawnPage();
  const named = async (row: object) => {
    await page.draw(item({ ...ROW, ...row }));
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
  const onExtend = vi.fn();
  await drawnPage().draw(item(ROW, { open: new Set([ROW.key]), onExtend }));
  const click = (target: Element | null | undefined, shiftKey: boolean) =>
    act(async () => {
      target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
    });
  const numberOf = (line: number) =>
    [...document.querySelectorAll("button")].find((one) => one.textContent === `${line}`);
  await click(numberOf(2), false);
  await click(numberOf(4), true);
  expect(picked).toEqual(["2 false", "4 true"]);
  expect(onExtend).not.toHaveBeenCalled();
  await click(document.querySelector("article"), true);
  expect(onExtend).toHaveBeenCalledWith(3);
});

it("the focus stays in the row when the button that had it has shown what was left out, and is gone", async () => {
  await drawnPage().draw(item(ROW, { open: new Set([ROW.key]) }));
  const rest = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Show the rest",
  );
  rest?.focus();
  await act(async () => rest?.click());
  await until(() => expect(document.activeElement?.tagName).toBe("ARTICLE"));
});
