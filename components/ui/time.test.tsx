// @vitest-environment page
import { act } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { noteLastHeard } from "@/lib/client/connection/last-known";
import { stopSecondsAt, useSecondsWhile } from "@/lib/client/use-now";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Elapsed, Remaining } from "./time";

function Clock({ runs }: { runs: boolean }) {
  const nowMs = useSecondsWhile(runs);
  return nowMs === null ? "none" : new Date(nowMs).toISOString().slice(14, 19);
}

it("a clock goes while it is needed, by the page's one timer, and not longer", async () => {
  vi.useFakeTimers({
    now: Date.parse("2026-01-01T10:00:00Z"),
    toFake: ["Date", "setInterval", "clearInterval"],
  });
  onTestFinished(() => void vi.useRealTimers());
  const { draw, leave } = drawnPage();
  const shown = () => document.body.textContent;
  await draw(<Clock runs={false} />);
  expect([shown(), vi.getTimerCount()]).toEqual(["none", 0]);
  await draw([<Clock key="one" runs />, <Clock key="other" runs />]);
  expect([shown(), vi.getTimerCount()]).toEqual(["00:0000:00", 1]);
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(shown()).toBe("00:0200:02");
  leave();
  expect(vi.getTimerCount()).toBe(0);
});

it("without a connection what runs is not counted further than it was known, which is said", async () => {
  vi.useFakeTimers({
    now: Date.parse("2026-01-01T10:00:00Z"),
    toFake: ["Date", "setInterval", "clearInterval", "setTimeout", "clearTimeout"],
  });
  onTestFinished(() => void vi.useRealTimers());
  const stream = {};
  onTestFinished(() => noteLastHeard(stream, null));
  await drawnPage().draw(<Elapsed sinceMs={Date.now() - 60_000} format={(ms) => `${ms / 1_000} s`} />);
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(document.body.textContent).toBe("62 s");
  await act(async () => noteLastHeard(stream, Date.now() - 1_000));
  await act(async () => vi.advanceTimersByTime(360_000));
  expect(document.body.textContent).toBe("61 s");
  expect(document.querySelector("span")?.title).toMatch(/^As of \d+:00:01.*; not connected since$/);
  await act(async () => noteLastHeard(stream, null));
  expect(document.body.textContent).toBe("422 s");
});

it("in a file what ran is not counted further than its log goes", async () => {
  const sinceMs = Date.parse("2026-01-01T10:00:00Z");
  stopSecondsAt(sinceMs + 42_000);
  await drawnPage().draw(<Elapsed sinceMs={sinceMs} format={(ms) => `${ms / 1_000} s`} />);
  expect(document.body.textContent).toBe("42 s");
});

it.each([
  [3_600_000 - 1_000, "1 h"],
  [7 * 86_400_000 - 1_000, "7 d"],
  // Of a day that is not whole nothing is promised.
  [6 * 86_400_000 + 14 * 3_600_000, "6 d"],
  [59 * 60_000 - 40_000, "58 m"],
  [61_000, "1 m 1 s"],
  [-5_000, "0 s"],
])("of %d ms that are left, %s are told", async (leftMs, told) => {
  vi.useFakeTimers({
    now: Date.parse("2026-01-01T10:00:00Z"),
    toFake: ["Date", "setInterval", "clearInterval"],
  });
  onTestFinished(() => void vi.useRealTimers());
  stopSecondsAt(Date.now());
  await drawnPage().draw(<Remaining untilMs={Date.now() + leftMs} />);
  expect(document.body.textContent).toBe(told);
});
