import { expect, it } from "vitest";
import { sampleOf } from "./use-minimap-rows";

it("shows of many hits some from the first to the last", () => {
  expect(sampleOf([1, 2, 3], 3)).toEqual([1, 2, 3]);
  expect(sampleOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([0, 2, 4, 6, 8]);
});
