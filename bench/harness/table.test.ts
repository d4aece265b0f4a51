import { expect, test } from "vitest";
import { formatMegabytes } from "./format";
import { limitRow, missingRow, timeRow } from "./judge";
import { median, percentile } from "./statistics";
import { formatTable } from "./table";

test("the table aligns its columns and says what is over", () => {
  const table = formatTable([
    timeRow("list complete", [900, 700, 800], 2000, 400),
    limitRow("memory", [412_000_000], 300_000_000, formatMegabytes),
    missingRow("search", "≤ 50 ms", "not built yet"),
  ]);
  expect(table.split("\n")).toEqual([
    "what           budget    measured                n  ÷ P",
    "─────────────  ────────  ──────────────────────  ─  ────  ─────────────",
    "list complete  ≤ 2.00 s  0.80 s (0.70 s–0.90 s)  3  2.00  ok",
    "memory         ≤ 300 MB  412 MB                  1        over",
    "search         ≤ 50 ms   –                                not built yet",
  ]);
});

test("medians and percentiles lie between neighbours", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([1, 2, 3, 10])).toBe(2.5);
  expect(percentile([1, 2, 3, 4, 5], 0.95)).toBeCloseTo(4.8);
});
