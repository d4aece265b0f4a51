import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { advance, IDLE } from "./search-run";
import { formatSearchRun } from "./search-status";

const listed = (all: number, passed = all, sessions = 1) => ({ all, passed, sessions });
const progress = { bytesDone: 4_700_000, bytesTotal: 7_800_000, filesDone: 12, filesTotal: 210 };
const running = { ...IDLE, phase: "running" as const };

test("the status describes what was searched", () => {
  expect(formatSearchRun(running, listed(0, 0, 0))).toBe("Searching…");
  const some = advance(running, [
    { kind: "hits", hits: [makeHit()] },
    { kind: "progress", progress },
  ]);
  expect(formatSearchRun(some, listed(1))).toBe(
    "1 result in 1 session so far · searched 4.7 of 7.8 MB (60 %) · 12 of 210 files",
  );
  expect(formatSearchRun({ ...some, phase: "stopped" }, listed(1))).toMatch(
    /^Stopped · 1 result in 1 session so far · searched 4.7 of 7.8 MB/,
  );
  expect(formatSearchRun({ ...some, phase: "done" }, listed(1))).toMatch(
    /^Incomplete · 1 result in 1 session so far/,
  );
  const whole = advance(some, [{ kind: "end", complete: true, nextCursor: null, progress }]);
  expect(formatSearchRun({ ...whole, phase: "done", tookMs: 1200 }, listed(1))).toBe(
    "1 result in 1 session · searched 7.8 MB in 1.2 s",
  );
});

test("the status says of how many texts it is not known whether they have what is looked for", () => {
  const end = { kind: "end" as const, complete: true, nextCursor: null };
  const of = (unsearched: number) =>
    formatSearchRun(
      { ...advance(running, [{ ...end, progress: { ...progress, unsearched } }]), phase: "done" },
      listed(1),
    );
  expect(of(2)).toBe(
    "1 result in 1 session · searched 7.8 MB · 2 texts were not searched: the expression takes too long",
  );
  expect(of(0)).toBe("1 result in 1 session · searched 7.8 MB");
});

test("the status mentions more hits than are streamed at once", () => {
  const end = { kind: "end" as const, complete: false, nextCursor: "next", progress };
  const some = advance(running, [{ kind: "hits", hits: [makeHit(), makeHit()] }, end]);
  expect(formatSearchRun({ ...some, phase: "done" }, listed(2))).toBe(
    "First 2 results in 1 session · more available",
  );
  const whole = advance({ ...some, phase: "running" }, [
    { kind: "hits", hits: [makeHit()] },
    { ...end, complete: true, nextCursor: null },
  ]);
  expect(formatSearchRun({ ...whole, phase: "done" }, listed(3))).toMatch(
    /^3 results in 1 session · searched/,
  );
});

test("the status says how many results pass the facets, of how many there are", () => {
  const end = { kind: "end" as const, complete: true, nextCursor: null, progress };
  const whole = { ...advance(running, [end]), phase: "done" as const };
  expect(formatSearchRun(whole, listed(1_234, 12, 3))).toMatch(
    /^12 of 1,234 results in 3 sessions · searched/,
  );
  expect(formatSearchRun(whole, listed(0, 0, 0))).toMatch(/^0 results · searched/);
  expect(formatSearchRun({ ...whole, nextCursor: "next" }, listed(5_000, 7, 2))).toBe(
    "7 of the first 5,000 results in 2 sessions · more available",
  );
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
