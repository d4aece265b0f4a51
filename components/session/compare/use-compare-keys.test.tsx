// @vitest-environment page
import { act, useState } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { CompareItem } from "./use-compare";
import { useCompareKeys } from "./use-compare-keys";

const onOpen = vi.fn();

function Keys({ items, isOnItsWay }: { items: readonly CompareItem[]; isOnItsWay: boolean }) {
  const [at, setAt] = useState<string | null>(null);
  const nothing = () => undefined;
  const others = { onToggle: nothing, onToggleStem: nothing, onSwap: nothing, onBack: nothing };
  useCompareKeys(items, isOnItsWay, { at, setAt, onOpen, ...others });
  return <output>{at}</output>;
}

const line = (key: string, differs: boolean) =>
  ({ key, kind: "rows", differs, rows: { left: null, right: { recordId: key, block: 2 } } }) as never;
const reading = { key: "note", kind: "note", words: "Reading", isAwaited: true, differs: false } as const;
const press = (...keys: string[]) =>
  act(async () => {
    for (const key of keys) window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
const current = () => document.querySelector("output")?.textContent;

it("a step to a line that is on its way is made when it comes, with what was pressed behind it", async () => {
  const page = drawnPage();
  await page.draw(<Keys items={[]} isOnItsWay />);
  await press("n", "Enter");
  await page.draw(<Keys items={[line("a", false), reading]} isOnItsWay />);
  expect([current(), onOpen.mock.calls]).toEqual(["", []]);
  await page.draw(<Keys items={[line("a", false), line("b", true)]} isOnItsWay={false} />);
  expect([current(), onOpen.mock.calls]).toEqual(["b", [["right", "b", 2]]]);
});

it("a step that leads nowhere is forgotten when nothing more comes", async () => {
  const page = drawnPage();
  await page.draw(<Keys items={[line("a", false), reading]} isOnItsWay />);
  await press("j", "n");
  expect(current()).toBe("a");
  await page.draw(<Keys items={[line("a", false)]} isOnItsWay={false} />);
  await page.draw(<Keys items={[line("a", false), line("b", true)]} isOnItsWay={false} />);
  expect(current()).toBe("a");
  await press("n");
  expect(current()).toBe("b");
});
