// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { UsageBars } from "./usage-chart";

vi.mock("@/components/ui/chart", async (original) => ({
  ...(await original<object>()),
  useWidth: () => [() => undefined, 600],
}));

const USED = {
  ...{ input: 12, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  ...{ costMicroUsd: 1_840_000, unpricedTokens: 0 },
};
const DAYS = ["2026-11-01", "2026-11-02"];

it("arrows go from bar to bar, and Alt with one is the browser's Back", async () => {
  const bars = DAYS.map((day) => ({
    key: day,
    label: day,
    from: day,
    to: day,
    parts: [1],
    total: 1,
    row: { ...USED, requests: 1 },
  }));
  const chart = { bars, series: [{ name: "model", color: "red", total: 2 }], most: 1, step: "day" };
  await drawnPage().draw(<UsageBars chart={chart as never} measure="cost" onChoose={() => undefined} />);
  const press = (init: KeyboardEventInit) => {
    const event = new KeyboardEvent("keydown", {
      key: "ArrowLeft",
      bubbles: true,
      cancelable: true,
      ...init,
    });
    act(() => void document.querySelectorAll("[data-bar]")[1]?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(press({ altKey: true })).toBe(false);
  expect(press({})).toBe(true);
  expect(document.querySelector("[data-bar]")?.getAttribute("aria-label")).toBe(
    "2026-11-01: $1.84 · 12 tok · 1 request",
  );
});
