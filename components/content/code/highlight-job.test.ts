import { expect, it } from "vitest";
import { languageOfPath, packSpans, unpackSpans } from "./highlight-job";

it("restores the spans of each line on the other side", () => {
  const lines = [[3, 1, 5, 0], [], [1_000, 2], []];
  const { all, ends } = packSpans(lines);
  const crossed = structuredClone({ all, ends }, { transfer: [all.buffer, ends.buffer] });
  expect(all.length).toBe(0);
  expect(unpackSpans(crossed).map((spans) => Array.from(spans))).toEqual(lines);
  expect(unpackSpans(packSpans([]))).toEqual([]);
});

it("finds the language of a file by its name, in a folder of any system", () => {
  for (const path of ["/home/dev/shop/Dockerfile", "C:\\shop\\Dockerfile", "Dockerfile"])
    expect(languageOfPath(path), path).not.toBeNull();
  expect(languageOfPath("C:\\shop.ts\\LICENSE")).toBeNull();
});
