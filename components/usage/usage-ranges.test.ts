import { expect, test } from "vitest";
import { usageRanges } from "./usage-ranges";

const rangesOn = (year: number, month: number, day: number) =>
  usageRanges(new Date(year, month - 1, day, 23, 30)).map(({ label, from, to }) => `${label}: ${from} ${to}`);

test("ranges end today, but the last month, which is a whole one of the calendar", () => {
  expect(rangesOn(2026, 3, 31)).toEqual([
    "7 d: 2026-03-25 null",
    "30 d: 2026-03-02 null",
    "90 d: 2026-01-01 null",
    "This month: 2026-03-01 null",
    "Last month: 2026-02-01 2026-02-28",
    "All: null null",
  ]);
  expect(rangesOn(2026, 1, 1)).toContain("Last month: 2025-12-01 2025-12-31");
  expect(rangesOn(2026, 1, 1)).toContain("This month: 2026-01-01 null");
});
