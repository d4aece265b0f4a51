import { expect, test } from "vitest";
import { makeRateMeter } from "./use-health";

const indexing = (bytesDone: number, done = false) => ({
  phase: "scanning" as const,
  filesDone: 0,
  filesTotal: 0,
  bytesDone,
  bytesTotal: 1_000,
  recordsOutsideSessions: 0,
  done,
});

test("says how long is left once it has seen enough, and starts over with the server", () => {
  const rateOf = makeRateMeter();
  expect(rateOf(indexing(100), 0).leftMs).toBeNull();
  expect(rateOf(indexing(150), 1_000).leftMs).toBeNull();
  expect(rateOf(indexing(300), 2_000)).toEqual({ bytesPerSecond: 100, leftMs: 7_000 });
  expect(rateOf(indexing(50), 3_000).leftMs).toBeNull();
  expect(rateOf(indexing(1_000, true), 9_000).leftMs).toBeNull();
});
