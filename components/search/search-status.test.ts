import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { advance, IDLE } from "./search-run";
import { formatSearchRun } from "./search-status";

const progress = { bytesDone: 4_700_000, bytesTotal: 7_800_000, filesDone: 12, filesTotal: 210 };
const running = { ...IDLE, phase: "running" as const };

test("the status describes what was searched", () => {
  expect(formatSearchRun(running)).toBe("Searching…");
  const some = advance(running, [
    { kind: "hits", hits: [makeHit()] },
    { kind: "progress", progress },
  ]);
  expect(formatSearchRun(some)).toBe("1 result so far · searched 4.7 of 7.8 MB (60 %) · 12 of 210 files");
  expect(formatSearchRun({ ...some, phase: "stopped" })).toMatch(
    /^Stopped · 1 result so far · searched 4.7 of 7.8 MB/,
  );
  expect(formatSearchRun({ ...some, phase: "done" })).toMatch(/^Incomplete · 1 result so far/);
  const whole = advance(some, [{ kind: "end", complete: true, nextCursor: null, progress }]);
  expect(formatSearchRun({ ...whole, phase: "done", tookMs: 1200 })).toBe(
    "1 result · searched 7.8 MB in 1.2 s",
  );
});

test("the status mentions more hits than are streamed at once", () => {
  const end = { kind: "end" as const, complete: false, nextCursor: "next", progress };
  const some = advance(running, [{ kind: "hits", hits: [makeHit(), makeHit()] }, end]);
  expect(formatSearchRun({ ...some, phase: "done" })).toBe("First 2 results · more available");
  const whole = advance({ ...some, phase: "running" }, [
    { kind: "hits", hits: [makeHit()] },
    { ...end, complete: true, nextCursor: null },
  ]);
  expect(formatSearchRun({ ...whole, phase: "done" })).toMatch(/^3 results · searched/);
});

test("events of one frame are taken in order, and hits stay in order", () => {
  const run = advance(IDLE, [
    { kind: "start", problems: [{ from: 0, to: 3, message: "no such filter" }] },
    { kind: "hits", hits: [makeHit({ record: "1" })] },
    { kind: "hits", hits: [makeHit({ record: "2" })] },
  ]);
  expect(run.problems).toHaveLength(1);
  expect(run.hits.map(({ recordId }) => recordId)).toEqual(["1", "2"]);
});
