import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coalesced } from "./throttle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function runs(askedAtMs: readonly number[], untilMs = 3_000): number[] {
  const ranAtMs: number[] = [];
  const { ask } = coalesced(() => ranAtMs.push(performance.now()), 100, 600);
  const beganAtMs = performance.now();
  for (let ms = 0; ms <= untilMs; ms += 10) {
    if (askedAtMs.includes(ms)) ask();
    vi.advanceTimersByTime(10);
  }
  return ranAtMs.map((ms) => ms - beganAtMs);
}

test("one step is followed soon", () => {
  expect(runs([0])).toEqual([100]);
});

test("steps with a rest between them are each followed soon", () => {
  expect(runs([0, 1_000])).toEqual([100, 1_100]);
});

test("a movement that goes on is followed at intervals, to where it ends", () => {
  const everyFrame = Array.from({ length: 150 }, (_, frame) => frame * 10);
  expect(runs(everyFrame)).toEqual([100, 700, 1_300, 1_900]);
});

test("nothing runs after a stop", () => {
  const task = vi.fn();
  const { ask, stop } = coalesced(task, 100, 600);
  ask();
  stop();
  vi.advanceTimersByTime(1_000);
  expect(task).not.toHaveBeenCalled();
});
