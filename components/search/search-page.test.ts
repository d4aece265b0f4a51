import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { formatSearchRun } from "./search-page";
import { advance, IDLE } from "./use-search";

const progress = { bytesDone: 4_700_000, bytesTotal: 7_800_000, filesDone: 12, filesTotal: 210 };
const running = { ...IDLE, phase: "running" as const };

test("what is said is what was looked at", () => {
  expect(formatSearchRun(running)).toBe("Searching…");
  const some = advance(running, [
    { kind: "hits", hits: [makeHit()] },
    { kind: "progress", progress },
  ]);
  expect(formatSearchRun(some)).toBe(
    "Reading the logs: 60 % · 4.7 MB of 7.8 MB · 12 of 210 files · 1 hit so far",
  );
  expect(formatSearchRun({ ...some, phase: "stopped" })).toMatch(
    /^Stopped at 60 %.*: not complete, 1 hit so far$/,
  );
  expect(formatSearchRun({ ...some, phase: "done" })).toMatch(/^Not complete: 60 %/);
  const whole = advance(some, [{ kind: "end", complete: true, nextCursor: null, progress }]);
  expect(formatSearchRun({ ...whole, phase: "done", tookMs: 1200 })).toBe(
    "Complete: 1 hit in 7.8 MB, all of it looked at in 1.2 s",
  );
});

test("where there are more hits than are streamed at once it says so", () => {
  const end = { kind: "end" as const, complete: false, nextCursor: "next", progress };
  const some = advance(running, [{ kind: "hits", hits: [makeHit(), makeHit()] }, end]);
  expect(formatSearchRun({ ...some, phase: "done" })).toBe(
    "Not complete: the first 2 hits, and there are more",
  );
  const whole = advance({ ...some, phase: "running" }, [
    { kind: "hits", hits: [makeHit()] },
    { ...end, complete: true, nextCursor: null },
  ]);
  expect(formatSearchRun({ ...whole, phase: "done" })).toMatch(/^Complete: 3 hits/);
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
