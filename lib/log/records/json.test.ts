import { expect, it } from "vitest";
import { nestsDeeper } from "./json";

it("tells how deep a value nests, however deep it is", () => {
  expect(nestsDeeper("text", 0)).toBe(false);
  expect(nestsDeeper([], 0)).toBe(true);
  expect(nestsDeeper({ a: [1], b: {} }, 2)).toBe(false);
  expect(nestsDeeper({ a: [[1]] }, 2)).toBe(true);
  expect(nestsDeeper(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)), 256)).toBe(true);
});
