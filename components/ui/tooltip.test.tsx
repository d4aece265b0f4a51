// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Tooltip, TooltipProvider } from "./tooltip";

const focused = (selector: string) =>
  act(async () => {
    (document.activeElement as HTMLElement | null)?.blur();
    document.querySelector<HTMLElement>(selector)?.focus();
  });
const hears = (event: Event, selector = "button") =>
  act(async () => void document.querySelector(selector)?.dispatchEvent(event));
const press = (key: string, selector?: string) =>
  hears(new KeyboardEvent("keydown", { key, bubbles: true }), selector);
const point = async () => {
  for (const kind of ["pointerdown", "pointerup"]) await hears(new Event(kind, { bubbles: true }));
};
const labels = () => document.querySelectorAll("[role=tooltip]").length;

it("a label shows where keys have moved the focus, not where a dialog gives it back to what was clicked", async () => {
  await drawnPage().draw(
    <TooltipProvider>
      <Tooltip text="Share this view">
        <button type="button">Share</button>
      </Tooltip>
      <input aria-label="Field of a dialog" />
    </TooltipProvider>,
  );
  await focused("button");
  expect(labels()).toBe(1);
  // As the browser has it, the focus shows: a field had it before.
  await point();
  await focused("input");
  await press("a", "input");
  await press("Home", "input");
  await press("Escape", "input");
  await focused("button");
  expect(document.querySelector("button")?.matches(":focus-visible")).toBe(true);
  expect(labels()).toBe(0);
  await focused("input");
  await press("Tab", "input");
  await focused("button");
  expect(labels()).toBe(1);
});
