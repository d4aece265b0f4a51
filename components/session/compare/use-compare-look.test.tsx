// @vitest-environment happy-dom
import { useRef } from "react";
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
