import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coalesced, throttled } from "./throttle";

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

const HANGING_MS = Number.POSITIVE_INFINITY;

/** When, in seconds, a task runs that is asked for every second, and of which each takes so long. */
async function runsOf(tookMs: readonly number[], untilMs: number): Promise<number[]> {
  const ranAtS: number[] = [];
  const beganAtMs = performance.now();
  const ask = throttled(1_000, () => {
    const [ms = 0] = tookMs.slice(ranAtS.length);
    ranAtS.push(Math.round((performance.now() - beganAtMs) / 1_000));
    return new Promise<void>((resolve) => ms < HANGING_MS && setTimeout(resolve, ms));
  });
  for (let ms = 0; ms < untilMs; ms += 1_000) {
    ask();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return ranAtS;
}

test("a task that takes long again and again rests for several times as long", async () => {
  expect(await runsOf([2_000, 2_000, 2_000], 30_000)).toEqual([0, 3, 15, 27, 28, 29]);
});

test("one slow answer does not leave what is shown behind for long", async () => {
  expect((await runsOf([100, 3_200, 100], 20_000)).slice(0, 4)).toEqual([0, 1, 5, 6]);
});

test("one that hangs, as over a connection that is dead when a computer wakes, does not keep the next from being run", async () => {
  expect((await runsOf([HANGING_MS], 120_000))[1]).toBeLessThanOrEqual(60);
  expect((await runsOf([10 * 60_000], 120_000))[1]).toBeLessThanOrEqual(60);
});
