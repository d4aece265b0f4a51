import { expect, it } from "vitest";
import { packSpans, unpackSpans } from "./highlight-job";

it("has the spans of each line again on the other side", () => {
  const lines = [[3, 1, 5, 0], [], [1_000, 2], []];
  const { all, ends } = packSpans(lines);
  const crossed = structuredClone({ all, ends }, { transfer: [all.buffer, ends.buffer] });
  expect(all.length).toBe(0);
  expect(unpackSpans(crossed).map((spans) => Array.from(spans))).toEqual(lines);
  expect(unpackSpans(packSpans([]))).toEqual([]);
});
