import { expect, it } from "vitest";
import { parseQuery } from "@/lib/query/parse-query";
import { byReadersDays } from "./reader-days";

const NOW_MS = Date.parse("2026-11-30T02:00:00Z");

/** The values of a query's dates in a zone. */
function dates(q: string, zone: string | null): string[] {
  const found: string[] = [];
  JSON.stringify(byReadersDays(parseQuery(q).query, zone, NOW_MS), (key, value: unknown) => {
    if (key === "value") found.push(String(value));
    return value;
  });
  return found;
}

it("dates of a query begin by the reader's clock, wherever in the query they are", () => {
  const q = "cart (after:2026-11-29 OR -before:2026-11) after:2026-11-29T08:30 tool:Bash";
  expect(dates(q, "America/New_York")).toEqual([
    "2026-11-29T05:00:00Z",
    "2026-11-01T04:00:00Z",
    "2026-11-29T13:30:00Z",
    "Bash",
  ]);
  // In New York it is still the evening before.
  expect(dates("after:today before:Yesterday", "America/New_York")).toEqual([
    "2026-11-29T05:00:00Z",
    "2026-11-28T05:00:00Z",
  ]);
  expect(dates("after:7d", "Asia/Tokyo")).toEqual(["7d"]);
  expect(dates("after:2026-11-29Z", "Asia/Tokyo")).toEqual(["2026-11-29Z"]);
  expect(dates("after:2026-11-29", null)).toEqual(["2026-11-29"]);
});
