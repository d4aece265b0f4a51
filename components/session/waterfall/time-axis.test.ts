import fc from "fast-check";
import { expect, it } from "vitest";
import { ticksOf, timeAxis } from "./time-axis";

const MINUTE = 60_000;

it("leaves out gaps of more than a minute, and says how long they were", () => {
  const axis = timeAxis("active", [
    [0, 10_000],
    [5_000, 20_000],
    [70_000, 80_000],
    [80_000 + 30 * MINUTE, 90_000 + 30 * MINUTE],
  ]);
  expect(axis.gaps.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([[80_000, 80_000 + 30 * MINUTE]]);
  // What lies before the gap is as long as it was, and the gap stands for at least a second.
  expect(axis.placeOf(70_000)).toBe(70_000);
  expect(axis.length).toBe(80_000 + 1_000 + 10_000);
  expect(
    timeAxis("clock", [
      [0, 1],
      [30 * MINUTE, 31 * MINUTE],
    ]).gaps,
  ).toEqual([]);
});

it("finds the time of every place again, in order", () => {
  const stretch = fc
    .tuple(fc.nat(1e7), fc.nat(1e5))
    .map(([from, took]): [number, number] => [from, from + took]);
  fc.assert(
    fc.property(
      fc.array(stretch, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(1.2e7)),
      (busy, times) => {
        const axis = timeAxis("active", busy);
        for (const ms of times) expect(axis.timeAt(axis.placeOf(ms))).toBeCloseTo(ms, 3);
        const sorted = times.toSorted((a, b) => a - b).map(axis.placeOf);
        expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
      },
    ),
  );
});

it("labels places by active time, or by the clock, never closer than asked", () => {
  const active = timeAxis("active", [[0, 5 * MINUTE]]);
  expect(ticksOf(active, 0, 3 * MINUTE, 50_000).map(({ label }) => label)).toEqual([
    "0",
    "1 m",
    "2 m",
    "3 m",
  ]);
  const clock = timeAxis("clock", [[Date.UTC(2026, 0, 1, 12, 0, 30), Date.UTC(2026, 0, 1, 12, 5)]]);
  expect(ticksOf(clock, 0, 4 * MINUTE, 50_000).map(({ at }) => at)).toEqual([
    30_000, 90_000, 150_000, 210_000,
  ]);
});
