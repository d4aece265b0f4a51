import fc from "fast-check";
import { expect, test } from "vitest";
import { axisTicks } from "./chart";

test("an axis counts in steps that are round", () => {
  expect(axisTicks(200_000, "within")).toEqual([0, 50_000, 100_000, 150_000, 200_000]);
  expect(axisTicks(199_999, "within")).toEqual([0, 50_000, 100_000, 150_000]);
  expect(axisTicks(9, "reaching")).toEqual([0, 2.5, 5, 7.5, 10]);
  expect(axisTicks(0.3, "reaching").map((tick) => tick.toFixed(1))).toEqual(["0.0", "0.1", "0.2", "0.3"]);
  expect(axisTicks(1, "reaching")).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(axisTicks(4.1, "reaching")).toEqual([0, 2, 4, 6]);
  expect(axisTicks(4.1, "within")).toEqual([0, 2, 4]);
  expect(axisTicks(0, "reaching")).toEqual([0, 1]);
});

test("whatever the most is, it lies between the last two steps, of which there are few", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
      const [reaching, within] = [axisTicks(most, "reaching"), axisTicks(most, "within")];
      expect(reaching.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-6));
      expect(within.at(-1)).toBeLessThanOrEqual(most * (1 + 1e-6));
      expect(reaching.length - within.length).toBeLessThanOrEqual(1);
      expect(reaching.length).toBeGreaterThan(2);
      expect(reaching.length).toBeLessThan(7);
    }),
  );
});
