import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EachByItself } from "./each-by-itself";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("works on one after the other, also after one with which it fails", async () => {
  const failures = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const begun: number[] = [];
  let ended = 0;
  const each = new EachByItself<number>(async (one) => {
    expect(ended).toBe(begun.length - (begun.includes(2) ? 1 : 0));
    begun.push(one);
    await turn();
    if (one === 2) throw new Error("a bug");
    ended += 1;
  });
  await each.run([1, 2, 3]);
  expect([begun, failures.mock.calls.length]).toEqual([[1, 2, 3], 1]);
});

it("goes on beside work that takes long, leaves it out until it has ended, and says so then", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let ended = 0;
  const each = new EachByItself<string>(
    (one) => {
      begun.push(one);
      return one === "slow" ? new Promise((end) => ends.push(end)) : Promise.resolve();
    },
    () => void (ended += 1),
  );
  const run = each.run(["slow", "quick"]);
  await vi.advanceTimersByTimeAsync(49);
  expect(begun).toEqual(["slow"]);
  await vi.advanceTimersByTimeAsync(1);
  await run;
  expect(begun).toEqual(["slow", "quick"]);
  await each.run(["slow", "quick"]);
  expect([begun, ended]).toEqual([["slow", "quick", "quick"], 0]);
  ends[0]?.();
  await turn();
  expect(ended).toBe(1);
  const again = each.run(["slow"]);
  ends[1]?.();
  await again;
  // It was waited for this time.
  expect([begun.at(-1), ended, vi.getTimerCount()]).toEqual(["slow", 1, 0]);
});
