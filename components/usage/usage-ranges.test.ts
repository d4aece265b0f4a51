import { expect, test } from "vitest";
import { shownRange, usageRanges } from "./usage-ranges";

const rangesOn = (year: number, month: number, day: number) =>
  usageRanges(new Date(year, month - 1, day, 23, 30)).map(({ label, from, to }) => `${label}: ${from} ${to}`);

test("ranges end today, but the last month, which is a whole one of the calendar", () => {
  expect(rangesOn(2026, 3, 31)).toEqual([
    "7 d: 2026-03-25 null",
    "30 d: 2026-03-02 null",
    "90 d: 2026-01-01 null",
    "Feb: 2026-02-01 2026-02-28",
    "Mar: 2026-03-01 null",
    "All: null null",
  ]);
  expect(rangesOn(2026, 1, 1)).toContain("Dec: 2025-12-01 2025-12-31");
  expect(rangesOn(2026, 1, 1)).toContain("Jan: 2026-01-01 null");
});

test("of two ranges with the same days the one that was chosen is shown", () => {
  const on30th = usageRanges(new Date(2026, 10, 30));
  const november = { from: "2026-11-01", to: null };
  expect(shownRange(on30th, november, "Nov")?.label).toBe("Nov");
  expect(shownRange(on30th, november, "30 d")?.label).toBe("30 d");
  // A link names the days alone, and what was chosen before has others.
  expect(shownRange(on30th, november, null)?.label).toBe("30 d");
  expect(shownRange(on30th, november, "7 d")?.label).toBe("30 d");
  expect(shownRange(on30th, { from: "2026-11-02", to: null }, "Nov")).toBeUndefined();
});
