import { expect, test } from "vitest";
import { indexingLine, indexingShare } from "./side-column";

const INDEXING = {
  phase: "scanning" as const,
  filesDone: 1_284,
  filesTotal: 2_310,
  bytesDone: 3.1e9,
  bytesTotal: 7.8e9,
  recordsOutsideSessions: 0,
  done: false,
};

test("shows the progress, and the remaining time once that is known", () => {
  expect(indexingLine(INDEXING, { bytesPerSecond: 1e8, leftMs: 39_500 })).toBe(
    "1,284 of 2,310 files · 3.1 of 7.8 GB · 40 s left",
  );
  expect(indexingLine(INDEXING, { bytesPerSecond: null, leftMs: null })).toBe(
    "1,284 of 2,310 files · 3.1 of 7.8 GB",
  );
  expect(indexingLine({ ...INDEXING, phase: "listing" }, { bytesPerSecond: null, leftMs: null })).toBe(
    "Listing files",
  );
});

test("the share goes by bytes, by files while sizes are unknown, and is 0 before anything is known", () => {
  expect(indexingShare(INDEXING)).toBeCloseTo(0.397, 2);
  expect(indexingShare({ ...INDEXING, bytesTotal: 0 })).toBeCloseTo(0.556, 2);
  expect(indexingShare({ ...INDEXING, bytesTotal: 0, filesTotal: 0 })).toBe(0);
});
