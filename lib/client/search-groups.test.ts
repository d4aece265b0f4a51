import { expect, test } from "vitest";
import { type GroupState, groupHits, type HitItem, hitsByTime } from "./search-groups";
import { makeHit } from "./search-hit.fixture";

const OPEN: GroupState = { folded: new Set(), expanded: new Set() };

const show = (item: HitItem) => {
  if (item.kind === "session") return `${item.sessionId}: ${item.count}${item.folded ? ", folded" : ""}`;
  return item.kind === "hit" ? `  ${item.hit.recordId}` : `  ${item.left} more`;
};

test("sessions stand where their first hit came, and later hits join them", () => {
  const hits = [
    makeHit({ session: "b", record: "1" }),
    makeHit({ session: "a", record: "2" }),
    makeHit({ session: "b", record: "3" }),
  ];
  expect(groupHits(hits, OPEN).map(show)).toEqual(["b: 2", "  1", "  3", "a: 1", "  2"]);
  expect(groupHits(hits, { ...OPEN, folded: new Set(["b"]) }).map(show)).toEqual([
    "b: 2, folded",
    "a: 1",
    "  2",
  ]);
});

test("a long session is cut until it is asked for", () => {
  const hits = Array.from({ length: 9 }, (_, n) => makeHit({ record: `${n}` }));
  expect(groupHits(hits, OPEN).map(show).slice(-2)).toEqual(["  5", "  3 more"]);
  expect(groupHits(hits, { ...OPEN, expanded: new Set(["s1"]) })).toHaveLength(10);
  expect(groupHits(hits.slice(0, 7), OPEN)).toHaveLength(8);
});

test("by time, the newest first and those without a time last", () => {
  const hits = [
    makeHit({ record: "old", atMs: 1 }),
    makeHit({ record: "never" }),
    makeHit({ record: "new", atMs: 2 }),
  ];
  expect(hitsByTime(hits).map(show)).toEqual(["  new", "  old", "  never"]);
});
