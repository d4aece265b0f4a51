// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { CodeBlock } from "@/components/content/code/code-block";
import { LineSelectionActionsContext } from "@/components/content/line-selection";
import { drawnPage } from "@/lib/testing/drawn-page";
import { ThreadItem } from "./thread-item";

const picked: string[] = [];
vi.mock("@/components/annotations/row-annotations", () => ({ RowMarks: () => null }));
// What an opened call shows.
vi.mock("@/components/thread/thread-row", () => ({
  ThreadRow: () => (
    <LineSelectionActionsContext value={{ pick: (line, extend) => void picked.push(`${line} ${extend}`) }}>
      <CodeBlock text={"a\nb\nc\nd"} firstLine={1} language={null} />
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

it("a click with Shift selects lines up to it on a line's number, and rows up to it elsewhere", async () => {
  const onExtend = vi.fn();
  await drawnPage().draw(
    <ThreadItem
      index={3}
      total={9}
      apartPx={null}
      placeholderPx={null}
      wasClosed={false}
      isPlaced={false}
      isFirstNew={false}
      parallel={null}
      row={ROW}
      turnMs={null}
      open={new Set([ROW.key])}
      selected={false}
      chosen={false}
      measure={() => undefined}
      onSelect={() => undefined}
      onExtend={onExtend}
    />,
  );
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
