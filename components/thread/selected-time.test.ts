import { expect, test } from "vitest";
import { isRowInTime } from "./selected-time";

const RANGE = { fromMs: 1_000, toMs: 2_000 };

test("a row is in a part of the time that it went on in, from its own time to its end", () => {
  const at = (atMs: number | null, lastedMs: number | null = null) =>
    isRowInTime({ atMs, span: lastedMs === null ? null : { fromMs: 40, toMs: 40 + lastedMs } }, RANGE);
  expect(at(999)).toBe(false);
  expect(at(1_000)).toBe(true);
  expect(at(2_000)).toBe(true);
  expect(at(2_001)).toBe(false);
  // A call that was asked for before the part, and one that ended before it.
  expect(at(500, 500)).toBe(true);
  expect(at(500, 499)).toBe(false);
  expect(at(2_001, 900)).toBe(false);
  expect(at(null)).toBe(false);
});
