import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { gapsBetween, ticksOf, timeAxis } from "./time-axis";

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

it("tells the seconds of a clock only where its ticks are nearer than a minute", () => {
  const startMs = new Date(2026, 10, 20, 12, 0, 10).getTime();
  const clock = timeAxis("clock", [[startMs, startMs + 5 * MINUTE]]);
  const labels = (least: number) => ticksOf(clock, 0, 2 * MINUTE, least).map(({ label }) => label);
  expect(labels(40_000)).toEqual(["12:01", "12:02"]);
  expect(labels(20_000).slice(0, 2)).toEqual(["12:00:30", "12:01:00"]);
});

it("tells the days of a session that lasted several, at their midnights by the reader's clock", () => {
  const at = (day: number, hour: number) => new Date(2026, 9, day, hour).getTime();
  // Where clocks are changed that weekend, a day has 25 hours.
  const axis = timeAxis("clock", [[at(23, 20), at(28, 9)]]);
  const ticks = (hours: number) => ticksOf(axis, 0, axis.length, hours * 60 * MINUTE);
  expect(ticks(20).map(({ label }) => label)).toEqual(["24 Oct", "25 Oct", "26 Oct", "27 Oct", "28 Oct"]);
  expect(ticks(40).map(({ label }) => label)).toEqual(["25 Oct", "27 Oct"]);
  for (const tick of ticks(20)) expect(new Date(axis.startMs + tick.at).getHours()).toBe(0);
  expect(
    ticks(10)
      .slice(0, 4)
      .map(({ label }) => label),
  ).toEqual(["24 Oct", "12:00", "25 Oct", "12:00"]);
});

it("tells an hour that clocks leave out by no second label at the same place", () => {
  const zone = process.env.TZ;
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = "Europe/Berlin";
  const from = Date.UTC(2026, 2, 28, 22);
  const axis = timeAxis("clock", [[from, from + 6 * 60 * MINUTE]]);
  const labels = ticksOf(axis, 0, axis.length, 60 * MINUTE).map(({ label }) => label);
  expect(labels).toEqual(["23:00", "29 Mar", "01:00", "03:00", "04:00", "05:00", "06:00"]);
});

it("tells neighbouring places apart however near they are to each other", () => {
  const labels = (from: number, least: number) => {
    const axis = timeAxis("active", [[0, 100 * MINUTE]]);
    return ticksOf(axis, from, from + least * 3, least).map(({ label }) => label);
  };
  expect(labels(15_980, 10)).toEqual(["15.98 s", "15.99 s", "16.00 s", "16.01 s"]);
  expect(labels(72 * MINUTE, 5_000)).toEqual(["1:12:00", "1:12:05", "1:12:10", "1:12:15"]);
  expect(labels(2 * MINUTE, 100)).toEqual(["2:00.0", "2:00.1", "2:00.2", "2:00.3"]);
  fc.assert(
    fc.property(fc.nat(100 * MINUTE), fc.integer({ min: 1, max: 10 * MINUTE }), (from, least) => {
      const all = labels(from, least);
      expect(new Set(all).size).toBe(all.length);
    }),
  );
});

it("gives gaps no more than a part of the axis, however many there are, and finds those in view", () => {
  const busy = Array.from({ length: 500 }, (_, hour): [number, number] => [
    hour * 60 * MINUTE,
    hour * 60 * MINUTE + 5 * MINUTE,
  ]);
  const axis = timeAxis("active", busy);
  expect(axis.gaps).toHaveLength(499);
  expect(axis.length).toBeLessThanOrEqual(500 * 5 * MINUTE * 1.2 + 1);
  const third = axis.gaps[2] as (typeof axis.gaps)[number];
  expect(gapsBetween(axis, third.at + 1, third.at + 2)).toEqual([third]);
  expect(gapsBetween(axis, third.at + third.length + 1, third.at + third.length + 2)).toEqual([]);
  expect(gapsBetween(axis, 0, axis.length)).toEqual(axis.gaps);
});

it("looks at no more places than it labels, however late on a day and however near", () => {
  const startMs = new Date(2026, 10, 20, 23, 59, 58).getTime();
  const clock = timeAxis("clock", [[startMs, startMs + MINUTE]]);
  const labels = Array.from({ length: 40 }, () => ticksOf(clock, 500, 503, 1).map(({ label }) => label));
  expect(labels[39]).toEqual(["23:59:58.500", "23:59:58.501", "23:59:58.502", "23:59:58.503"]);
  expect(ticksOf(clock, 1_999, 2_001, 1).map(({ label }) => label)).toEqual([
    "23:59:59.999",
    "21 Nov",
    "00:00:00.001",
  ]);
});
