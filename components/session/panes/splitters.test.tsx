// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Splitter, StackSplitter } from "./splitters";

const heard: string[] = [];

beforeEach(() => {
  heard.length = 0;
});

function edge(): HTMLElement {
  const element = document.querySelector<HTMLElement>('[role="separator"]');
  if (!element) throw new Error("no edge");
  element.setPointerCapture = () => undefined;
  return element;
}

function drag(element: HTMLElement, ...to: number[]): void {
  const point = (type: string, at: number) =>
    act(() => {
      element.dispatchEvent(
        new PointerEvent(type, { bubbles: true, clientX: at, clientY: at, pointerId: 1 }),
      );
    });
  point("pointerdown", 100);
  for (const at of to) point("pointermove", at);
  point("pointerup", to.at(-1) ?? 100);
}

it("the width of panes is kept once, when their edge has been let go of", async () => {
  await drawnPage().draw(
    <Splitter
      label="Width"
      widthPx={400}
      onResize={(px) => heard.push(`${px}`)}
      onEnd={() => heard.push("kept")}
    />,
  );
  drag(edge(), 90, 80, 70);
  expect(heard).toEqual(["410", "420", "430", "kept"]);
  heard.length = 0;
  act(() => {
    edge().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  });
  expect(heard).toEqual(["424", "kept"]);
});

it("so is the height that two panes share, however it is changed", async () => {
  await drawnPage().draw(
    <StackSplitter
      label="Height"
      part={0.5}
      onPart={(part) => heard.push(part.toFixed(2))}
      onEnd={() => heard.push("kept")}
    />,
  );
  act(() => {
    edge().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  });
  act(() => {
    edge().dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
  });
  expect(heard).toEqual(["0.55", "kept", "0.50", "kept"]);
  heard.length = 0;
  drag(edge(), 90, 80);
  expect(heard.filter((one) => one === "kept")).toHaveLength(1);
});

it("Alt with an arrow is the browser's, not the edge's", async () => {
  await drawnPage().draw(
    <Splitter label="Width" widthPx={400} onResize={() => heard.push("resized")} onEnd={() => undefined} />,
  );
  const back = new KeyboardEvent("keydown", {
    key: "ArrowLeft",
    altKey: true,
    bubbles: true,
    cancelable: true,
  });
  act(() => void edge().dispatchEvent(back));
  expect(back.defaultPrevented).toBe(false);
  expect(heard).toEqual([]);
});
