import { expect, it } from "vitest";
import { rangeWith } from "./kept-row";

it("draws the kept row among the others, in order, and none that is not in the list", () => {
  const range = { startIndex: 10, endIndex: 12, overscan: 1, count: 100 };
  expect(rangeWith(range, -1)).toEqual([9, 10, 11, 12, 13]);
  expect(rangeWith(range, 11)).toEqual([9, 10, 11, 12, 13]);
  expect(rangeWith(range, 3)).toEqual([3, 9, 10, 11, 12, 13]);
  expect(rangeWith(range, 99)).toEqual([9, 10, 11, 12, 13, 99]);
  expect(rangeWith(range, 100)).toEqual([9, 10, 11, 12, 13]);
});
