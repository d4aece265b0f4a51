import { expect, it } from "vitest";
import { formatFold, parseFold } from "./thread-fold";

it("writes folded turns as ranges and reads them back", () => {
  expect(formatFold(new Set([3, 1, 2, 9, 12, 11]))).toBe("1-3,9,11-12");
  expect(formatFold(new Set())).toBeNull();
  expect([...parseFold("1-3,9,x,11-12,-4")]).toEqual([1, 2, 3, 9, 11, 12]);
});
