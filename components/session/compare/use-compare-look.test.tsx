// @vitest-environment page
import { act, useRef } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useCompareLook } from "./use-compare-look";

function Comparison({ name, narrow }: { name: string; narrow: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  const { onScroll } = useCompareLook(name, list, true);
  return (
    <section onScroll={onScroll}>
      <div ref={list} onScroll={onScroll} style={{ overflowY: narrow ? "visible" : "auto" }} />
    </section>
  );
}

it.each([
  ["the list", "wide", "div", "section"],
  ["the page around it", "narrow", "section", "div"],
] as const)("keeps the place in %s where the page is %s", async (_, width, scrolled, still) => {
  const page = drawnPage();
  const comparison = <Comparison name={width} narrow={width === "narrow"} />;
  const box = (tag: string) => document.querySelector<HTMLElement>(`section${tag === "div" ? " > div" : ""}`);
  await page.draw(comparison);
  box(scrolled)?.scrollTo(0, 240);
  box(scrolled)?.dispatchEvent(new Event("scroll"));
  page.leave();
  await page.draw(comparison);
  expect([box(scrolled)?.scrollTop, box(still)?.scrollTop]).toEqual([240, 0]);
});

function Folds({ name }: { name: string }) {
  const { folds, fold } = useCompareLook(name, useRef<HTMLDivElement>(null), true);
  return (
    <>
      <p>{[...folds.folded].map((turn) => `−${turn}`).join()}</p>
      <p>{[...folds.expanded].map((turn) => `+${turn}`).join()}</p>
      {[true, false].map((isFolded) => (
        <button key={`${isFolded}`} type="button" onClick={() => fold(["a/1", "a/9"], isFolded)}>
          {isFolded ? "Fold" : "Unfold"}
        </button>
      ))}
    </>
  );
}

it("keeps what was folded with another branch beside it, and for whoever comes back to that", async () => {
  const page = drawnPage();
  const shown = () => document.body.textContent?.replace("FoldUnfold", "");
  const press = (at: number) => act(async () => document.querySelectorAll("button")[at]?.click());
  await page.draw(<Folds name="a | b" />);
  await press(0);
  expect(shown()).toBe("−a/1,−a/9");
  await press(0);
  expect(shown()).toBe("−a/1,−a/9");
  await page.draw(<Folds name="a | c" />);
  page.leave();
  await page.draw(<Folds name="a | c" />);
  expect(shown()).toBe("−a/1,−a/9");
  await press(1);
  expect(shown()).toBe("+a/1,+a/9");
});
