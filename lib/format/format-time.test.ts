import { expect, test } from "vitest";
import { formatAgo, formatFullTime, formatMonth, formatWhen, startOfDay, startOfWeek } from "./format-time";

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
  [10_000, "now"],
  [38 * 60_000, "38 m ago"],
  [5 * 3_600_000, "5 h ago"],
  [3 * 86_400_000, "3 d ago"],
  [30 * 86_400_000, "22 Oct"],
])("%d ms earlier is %s", (earlierMs, text) => {
  expect(formatAgo(NOW - earlierMs, NOW)).toBe(text);
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
