import { describe, expect, it, test } from "vitest";
import {
  formatAgo,
  formatBytes,
  formatBytesOf,
  formatClockSeconds,
  formatCompact,
  formatCost,
  formatCount,
  formatDollars,
  formatDuration,
  formatElapsed,
  formatFailures,
  formatFullTime,
  formatIsoDay,
  formatLength,
  formatMoment,
  formatMonth,
  formatPercent,
  formatPlural,
  formatTokens,
  formatWhen,
  startOfDay,
  startOfWeek,
  withTokens,
} from "./format";

describe("format count", () => {
  test.each([
    [0, "0"],
    [96, "96"],
    [999, "999"],
    [1_000, "1k"],
    [1_234, "1.2k"],
    [9_960, "10k"],
    [183_600, "184k"],
    [999_400, "999k"],
    [999_600, "1M"],
    [1_240_000, "1.2M"],
    [3_400_000_000, "3.4G"],
  ])("%d at a glance is %s", (count, text) => {
    expect(formatCompact(count)).toBe(text);
  });

  test.each([
    [0, "0 B"],
    [812, "812 B"],
    [1_100, "1.1 kB"],
    [312_400, "312 kB"],
    [4_100_000, "4.1 MB"],
    [7_800_000_000, "7.8 GB"],
    [1_200_000_000_000, "1.2 TB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test("the length of a text is its number of characters", () => {
    expect([0, 1, 12_400].map(formatLength)).toEqual(["0 characters", "1 character", "12k characters"]);
  });

  test("a part is shown in the unit of the whole", () => {
    expect(formatBytesOf(3_100_000_000, 7_800_000_000)).toBe("3.1 of 7.8 GB");
    expect(formatBytesOf(0, 13_046_239)).toBe("0.0 of 13 MB");
  });

  test("whole counts are grouped and their nouns agree", () => {
    expect(formatCount(2_310)).toBe("2,310");
    expect(formatPlural(1, "session")).toBe("1 session");
    expect(formatPlural(2_310, "session")).toBe("2,310 sessions");
    expect(formatPlural(0, "branch", "branches")).toBe("0 branches");
    expect(formatFailures(1, 2_310)).toBe("1 error, 2,310 denied");
    expect(formatFailures(0, 1)).toBe("1 denied");
    expect(formatFailures(0, 0)).toBe("");
  });

  test("a share is not 100 % before it is done", () => {
    expect(formatPercent(0)).toBe("0 %");
    expect(formatPercent(0.0001)).toBe("<1 %");
    expect(formatPercent(0.567)).toBe("56 %");
    expect(formatPercent(0.9999)).toBe("99 %");
    expect(formatPercent(1)).toBe("100 %");
  });
});

describe("format duration", () => {
  const SECOND = 1_000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;

  test.each([
    [0, "0 ms"],
    [-5, "0 ms"],
    [12.4, "12 ms"],
    [999, "999 ms"],
    [999.6, "1 s"],
    [1_000, "1 s"],
    [4_230, "4.2 s"],
    [9_949, "9.9 s"],
    [9_951, "10 s"],
    [31_400, "31 s"],
    [59_600, "1 m"],
    [72 * SECOND, "1 m 12 s"],
    [2 * MINUTE + 28 * SECOND, "2 m 28 s"],
    [59 * MINUTE + 59_600, "1 h"],
    [HOUR + 12 * MINUTE, "1 h 12 m"],
    [24 * HOUR, "1 d"],
    [76 * HOUR, "3 d 4 h"],
  ])("%d ms lasted %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test.each([
    [-1, "0 s"],
    [38_900, "38 s"],
    [70 * SECOND, "1 m 10 s"],
    [4 * MINUTE + 3 * SECOND, "4 m"],
    [HOUR + 10 * MINUTE, "1 h 10 m"],
    [75 * HOUR, "3 d"],
  ])("%d ms so far are %s", (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });
});

describe("format time", () => {
  // A Saturday, local time.
  const NOW = new Date(2026, 10, 21, 14, 58, 7).getTime();
  const at = (year: number, month: number, day: number, hour = 12, minute = 0) =>
    new Date(year, month - 1, day, hour, minute).getTime();

  test.each([
    [at(2026, 11, 21, 14, 2), "14:02"],
    [at(2026, 11, 21, 0, 0), "00:00"],
    [at(2026, 11, 19, 17, 31), "Thu 17:31"],
    [at(2026, 11, 15, 9, 5), "Sun 09:05"],
    [at(2026, 11, 14, 23, 59), "14 Nov"],
    [at(2025, 11, 14), "14 Nov 2025"],
    // A clock that runs ahead, or a log from tomorrow.
    [at(2026, 11, 23), "23 Nov"],
  ])("%d is said as %s", (atMs, text) => {
    expect(formatWhen(atMs, NOW)).toBe(text);
  });

  test.each([
    [at(2026, 11, 21, 14, 2), "14:02"],
    [at(2026, 11, 19, 17, 31), "Thu 17:31"],
    [at(2026, 11, 14, 23, 59), "14 Nov 23:59"],
    [at(2025, 11, 14, 0, 5), "14 Nov 2025 00:05"],
    [at(2026, 11, 23, 8), "23 Nov 08:00"],
  ])("%d beside others is said as %s, with its time", (atMs, text) => {
    expect(formatMoment(atMs, NOW)).toBe(text);
    expect(formatMoment(atMs, NOW, formatClockSeconds)).toBe(`${text}:00`);
  });

  test.each([
    [10_000, "now"],
    [38 * 60_000, "38 m ago"],
    [5 * 3_600_000, "5 h ago"],
    [3 * 86_400_000, "3 d ago"],
    [30 * 86_400_000, "22 Oct"],
    // A page's clock is a little behind what is written now; what is further ahead is another machine's.
    [-29_000, "now"],
    [-120_000, formatMoment(NOW + 120_000, NOW)],
  ])("%d ms earlier is %s", (earlierMs, text) => {
    expect(formatAgo(NOW - earlierMs, NOW)).toBe(text);
  });

  test("a day of the API reads like every other day", () => {
    expect(formatIsoDay("2026-11-09")).toBe("9 Nov 2026");
    expect(["soon", "2026-11", ""].map(formatIsoDay)).toEqual(["soon", "2026-11", ""]);
  });

  test("a hover says everything", () => {
    expect(formatFullTime(at(2026, 11, 19, 17, 31))).toBe("Thu 19 Nov 2026, 17:31:00");
  });

  test("weeks start on Monday, days at local midnight, on days of 23 and 25 hours too", () => {
    expect(startOfWeek(NOW)).toBe(at(2026, 11, 16, 0));
    expect(startOfWeek(at(2026, 11, 16, 0))).toBe(at(2026, 11, 16, 0));
    expect(startOfDay(NOW, 240)).toBe(at(2026, 3, 26, 0));
  });

  test("a month of another year says which", () => {
    expect(formatMonth(at(2026, 10, 3), NOW)).toBe("October");
    expect(formatMonth(at(2025, 10, 3), NOW)).toBe("October 2025");
  });
});

describe("format tokens", () => {
  it("says nothing about tokens where no usage is recorded", () => {
    expect(formatTokens(84_000)).toBe("84k tok");
    expect(formatTokens(0)).toBeNull();
    expect(formatTokens(null)).toBeNull();
    expect(withTokens("14 tools", 31_000)).toBe("14 tools · 31k");
    expect(withTokens("14 tools", 0)).toBe("14 tools");
  });
});

test("dollars keep what a reader wants to know of them", () => {
  const shown = [0, 400, 4_268, 12_000, 184_000, 12_400_000, 999_999_999, 1_204_400_000].map(formatDollars);
  expect(shown).toEqual(["$0", "<$0.001", "$0.004", "$0.012", "$0.18", "$12.40", "$1,000", "$1,204"]);
  expect([formatCost(null, 12), formatCost(184_000, 12), formatCost(0, 0)]).toEqual([
    "unpriced",
    "$0.18 +",
    "$0",
  ]);
});
