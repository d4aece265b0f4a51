import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import type { SessionSummary } from "@/lib/wire/library";
import {
  type GroupState,
  groupHits,
  type Headings,
  type HitItem,
  hitsByTime,
  withoutRepeats,
} from "./search-groups";

const OPEN: GroupState = { folded: new Set(), expanded: new Set() };
const UNTITLED: Headings = { of: () => undefined, seen: 80 };
const titled = (title: string, titleSource: SessionSummary["titleSource"], seen = 80): Headings => ({
  of: () => ({ title, titleSource }),
  seen,
});

const show = (item: HitItem) => {
  if (item.kind === "session")
    return `${item.sessionId}: ${item.count}${item.folded ? ", folded" : ""}${item.hit ? ` [${item.hit.recordId}]` : ""}`;
  return item.kind === "hit" ? `  ${item.hit.recordId}` : `  ${item.left} more`;
};

test("sessions are placed by their first hits, and later hits are added to them", () => {
  const hits = [
    makeHit({ session: "b", record: "1" }),
    makeHit({ session: "a", record: "2" }),
    makeHit({ session: "b", record: "3" }),
  ];
  expect(groupHits(hits, OPEN, UNTITLED).map(show)).toEqual(["b: 2", "  1", "  3", "a: 1", "  2"]);
  expect(groupHits(hits, { ...OPEN, folded: new Set(["b"]) }, UNTITLED).map(show)).toEqual([
    "b: 2, folded",
    "a: 1",
    "  2",
  ]);
});

test("a long session is shortened until it is expanded", () => {
  const hits = Array.from({ length: 9 }, (_, n) => makeHit({ record: `${n}` }));
  expect(groupHits(hits, OPEN, UNTITLED).map(show).slice(-2)).toEqual(["  5", "  3 more"]);
  expect(groupHits(hits, { ...OPEN, expanded: new Set(["s1"]) }, UNTITLED)).toHaveLength(10);
  expect(groupHits(hits.slice(0, 7), OPEN, UNTITLED)).toHaveLength(8);
});

test("by time, the newest first and those without a time last", () => {
  const hits = [
    makeHit({ record: "old", atMs: 1 }),
    makeHit({ record: "never" }),
    makeHit({ record: "new", atMs: 2 }),
  ];
  expect(hitsByTime(hits).map(show)).toEqual(["  new", "  old", "  never"]);
});

test("a hit that only repeats the heading is shown by the heading, and is counted", () => {
  const title = makeHit({ record: "0", field: "title" });
  const answer = makeHit({ record: "5", field: "text" });
  const named = titled("please retry it", "custom");
  expect(groupHits([title, answer], OPEN, named).map(show)).toEqual(["s1: 2 [0]", "  5"]);
  expect(groupHits([title], OPEN, named).map(show)).toEqual(["s1: 1 [0]"]);
});

test("a title made from the first prompt is that prompt's hit; the same words typed again are another", () => {
  const first = makeHit({ record: "1", atMs: 1 });
  const again = makeHit({ record: "7", atMs: 7 });
  const named = titled("please retry it", "prompt");
  expect(groupHits([again, first], OPEN, named).map(show)).toEqual(["s1: 2 [1]", "  7"]);
});

test("an agent's prompt with the words of the title is a hit of its own, also where it is the only one", () => {
  const errand = makeHit({ record: "9", agent: "a1" });
  const named = titled("please retry it", "prompt");
  expect(groupHits([errand], OPEN, named).map(show)).toEqual(["s1: 1", "  9"]);
});

test("a title made from a command is that command's hit", () => {
  const typed = makeHit({ record: "1", field: "command", snippet: "/review 2214" });
  const again = makeHit({ record: "3", field: "meta", snippet: "/review 2214" });
  expect(groupHits([typed], OPEN, titled("/review 2214", "prompt")).map(show)).toEqual(["s1: 1 [1]"]);
  expect(withoutRepeats([typed, again], () => "/review 2214")).toEqual([typed]);
});

test("a title hit is listed if the heading does not show it: in the folder, or after the cut", () => {
  const folder = makeHit({ record: "0", field: "title", snippet: "/home/dev/retry" });
  expect(groupHits([folder], OPEN, titled("please retry it", "custom")).map(show)).toEqual(["s1: 1", "  0"]);
  const title = makeHit({ record: "0", field: "title" });
  const narrow = titled("please retry it", "custom", 11);
  expect(groupHits([title], OPEN, narrow).map(show)).toEqual(["s1: 1", "  0"]);
});

test("the client's lines with a title are no results beside it", () => {
  const title = makeHit({ record: "0", field: "title" });
  const again = makeHit({ record: "3", field: "meta" });
  const other = makeHit({ record: "4", field: "meta", snippet: "retry it later" });
  const titleOf = () => "please retry it";
  expect(withoutRepeats([title, again, other], titleOf)).toEqual([title, other]);
  // Where the title itself is no result, the line is.
  expect(withoutRepeats([again], titleOf)).toEqual([again]);
});
